// What is fetched once it is known to be needed.
import type { AfterProps } from "../after/After";
import type { FactsProps } from "../artifact/Facts";
import { useLazy } from "./hooks";

export function After(props: AfterProps) {
  const Part = useLazy(() => import("../after/After"));
  return Part && <Part {...props} />;
}

export function Facts(props: FactsProps) {
  const Part = useLazy(() => import("../artifact/Details").then((part) => ({ default: part.Facts })));
  return props.evidence.length > 0 && Part ? <Part {...props} /> : null;
}
