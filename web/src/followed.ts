// What the pages of a run have in common: following it, its replay, how it stands. It is a part of its own, which they borrow from.
export * from "./lib/Replayed";
export * from "./lib/RunFrame";
export * from "./lib/Stands";
export * from "./net/kinds";
