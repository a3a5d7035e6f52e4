// Runs of the content pipeline: ideas with their documents and runs, and one run at its own address.
import type { PageProps } from "../App";
import { usePlace } from "../lib/router";
import { Ideas } from "./Ideas";
import { Run } from "./Run";
import { dressed } from "./dressed";

// Nothing is drawn before it can be drawn as it should look.
await dressed();

export default function Content({ project, id, query }: PageProps) {
  const run = usePlace().path[4];
  return run ? <Run key={run} project={project} idea={id} id={run} query={query} /> : <Ideas project={project} only={id} />;
}
