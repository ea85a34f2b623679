// Questions that stand before the page until they are answered. The browser keeps
// the focus inside; afterwards it is where it was before. Esc closes.

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../texts';

export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = box.current;
    const before = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={box} class="card" aria-labelledby={id}
      onCancel={(e) => { e.preventDefault(); onClose(); }}
      onClick={(e) => e.target === box.current && onClose()}>
      <div class="dialog">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

export interface Question {
  title: string;
  text?: string;
  yes: string;
  act: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ question, onClose }: { question: Question; onClose: () => void }) {
  return (
    <Dialog title={question.title} onClose={onClose}>
      {question.text && <p>{question.text}</p>}
      <div class="actions">
        <button class="main" data-testid="confirm" onClick={() => { onClose(); question.act(); }}>{question.yes}</button>
        <button onClick={onClose}>{t.goOnPlaying}</button>
      </div>
    </Dialog>
  );
}
