// What a page borrows from the part that shows artifacts: the differences of two texts, and a page in its frame.
import type { FunctionComponent } from "preact";

import { t } from "../i18n";
import { useLazy } from "./hooks";

type Parts = Pick<typeof import("../artifact/Details"), "SourceDiff" | "Page">;

function borrowed<Name extends keyof Parts>(name: Name) {
  type Props = Parameters<Parts[Name]>[0];
  return function Borrowed(props: Props) {
    const Part = useLazy<Props>(async () => ({ default: (await import("../artifact/Details"))[name] as FunctionComponent<Props> }));
    return Part ? <Part {...(props as Props & object)} /> : <p class="page-none">{t("loading")}</p>;
  };
}

export const SourceDiff = borrowed("SourceDiff");
export const Page = borrowed("Page");
