// What is fetched once it is known to be needed.
import type { AfterProps } from "../after/After";
import { useLazy } from "./hooks";

export function After(props: AfterProps) {
  const Part = useLazy(() => import("../after/After"));
  return Part && <Part {...props} />;
}
