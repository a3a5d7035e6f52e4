// A button that asks before it does something.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

import { t } from "../i18n";

interface ConfirmProps {
  id: string;
  /** What the button says. */
  name: string;
  title: string;
  /** What doing it means. */
  text: string;
  danger?: boolean;
  disabled: boolean;
  onConfirm: () => void;
  children?: ComponentChildren;
}

export function Confirm({ id, name, title, text, danger = false, disabled, onConfirm, children }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const kind = danger ? "button is-danger" : "button";
  return (
    <>
      <button type="button" class={kind} disabled={disabled} onClick={() => dialog.current?.showModal()}>
        {children}
        {name}
      </button>
      <dialog class="dialog" ref={dialog} aria-labelledby={id}>
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            {t("studio.no")}
          </button>
          <button
            type="button"
            class={danger ? kind : "button is-main"}
            onClick={() => {
              dialog.current?.close();
              onConfirm();
            }}
          >
            {name}
          </button>
        </div>
      </dialog>
    </>
  );
}
