// What the pages beside the stage have in common. It is a part of its own, which the others borrow from.
export * from "./after/Interrupt";
export * from "./i18n/format";
export * from "./lib/Empty";
export * from "./lib/icons";
export * from "./lib/lines";
export * from "./lib/loaded";
export * from "./net/pages";
export * from "./net/runs";
