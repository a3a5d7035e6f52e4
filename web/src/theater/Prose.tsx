// What somebody wrote, of any length. A long text has a window of its own, which the keyboard can reach.
const LONG = 420;

export function Prose({ class: name, text }: { class: string; text: string }) {
  if (text === "") return null;
  const long = text.length > LONG;
  return (
    <p class={`${name} ${long ? "is-long" : ""}`} tabIndex={long ? 0 : undefined}>
      {text}
    </p>
  );
}
