// Stopping a run, after one question.
import { useEffect, useRef } from "preact/hooks";

import { t } from "../i18n";
import { Icon } from "../lib/Icon";
import * as icon from "../lib/icons";

interface InterruptProps {
  asking: boolean;
  going: boolean;
  /** What stopping it means. */
  text: string;
  /** Whether Esc does the same. */
  esc?: boolean;
  onAsk: (asking: boolean) => void;
  onConfirm: () => void;
}

export function Interrupt({ asking, going, text, esc = false, onAsk, onConfirm }: InterruptProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    if (asking && !current?.open) current?.showModal();
    if (!asking && current?.open) current.close();
  }, [asking]);
  return (
    <>
      <button type="button" class="button is-danger" disabled={going} onClick={() => onAsk(true)}>
        <Icon path={icon.stop} />
        {t(going ? "interrupt.going" : "interrupt.name")}
        {esc && !going && <kbd>Esc</kbd>}
      </button>
      <dialog class="dialog" ref={dialog} aria-labelledby="interrupt-title" onClose={() => onAsk(false)}>
        <h2 id="interrupt-title">{t("interrupt.title")}</h2>
        <p>{text}</p>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={() => onAsk(false)}>
            {t("interrupt.no")}
          </button>
          <button
            type="button"
            class="button is-danger"
            onClick={() => {
              onAsk(false);
              onConfirm();
            }}
          >
            {t("interrupt.yes")}
          </button>
        </div>
      </dialog>
    </>
  );
}
