// Icons: strokes on a grid of 16. They stand beside words and say nothing to a screen reader.
const PATHS = {
  play: "M5 3.5v9l7-4.5z",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  stop: "M4.5 4.5h7v7h-7z",
  previous: "M11 3.5v9L5 8zM4 3.5v9",
  next: "M5 3.5v9L11 8zM12 3.5v9",
  check: "M3 8.5l3.2 3.2L13 4.8",
  cross: "M4 4l8 8M12 4l-8 8",
  alert: "M8 2.5l6 10.8H2zM8 6.7v3M8 11.4v.1",
  clock: "M8 2.5a5.5 5.5 0 100 11 5.5 5.5 0 000-11zM8 5v3.2l2 1.3",
  dash: "M3.5 8h9",
  ring: "M8 3.2a4.8 4.8 0 100 9.6 4.8 4.8 0 000-9.6z",
  down: "M4 6.5L8 10.5l4-4",
  right: "M6.5 4L10.5 8l-4 4",
  left: "M9.5 4L5.5 8l4 4",
  plus: "M8 3.5v9M3.5 8h9",
  again: "M12.5 8a4.5 4.5 0 11-1.4-3.3M12.6 2.6v2.6H10",
  copy: "M6 6h7v7H6zM3 10V3h7",
  panel: "M2.5 3.5h11v9h-11zM9.5 3.5v9",
  scales: "M8 2.5v11M5 13.5h6M3 4.5h10M3 4.5L1.3 9a1.9 1.9 0 003.4 0zM13 4.5L11.3 9a1.9 1.9 0 003.4 0z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
