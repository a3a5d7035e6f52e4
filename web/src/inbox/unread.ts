// How many questions wait for a person: beside the link to them, and in the title of the window. Asked for every so often
// while somebody looks.
import { t } from "../i18n";
import { json } from "../net/api";

const EVERY = 15_000;
/** Somebody answered here: the number is old. */
export const ANSWERED = "jury:answered";
/** Other questions wait than before. */
export const ASKED = "jury:asked";

/** Watches until told to stop. */
export function watch(onCount: (open: number) => void): () => void {
  let before = "";
  const look = () => {
    if (document.hidden) return;
    json<{ decisions: { id: string }[] }>("/api/decisions").then(({ decisions: open }) => {
      const name = t("critiqueTheater.userFacingName");
      document.title = open.length > 0 ? `(${open.length}) ${name}` : name;
      onCount(open.length);
      const now = open.map(({ id }) => id).join();
      if (now === before) return;
      before = now;
      dispatchEvent(new Event(ASKED));
      // A daemon that is away, or older, asks nothing.
    }, () => undefined);
  };
  look();
  const timer = setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
  addEventListener(ANSWERED, look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
    removeEventListener(ANSWERED, look);
  };
}
