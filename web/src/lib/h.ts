// What the bundler writes elements with; it puts this into every file that has some.
export { Fragment, h } from "preact";
