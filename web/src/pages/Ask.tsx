// A button that asks before it does what cannot be undone.

import { useState } from 'preact/hooks';
import { t } from '../texts';
import { Dialog } from './Dialog';

export function Ask({ button, title, text, yes, danger = false, disabled = false, act }: {
  button: string;
  title: string;
  text?: string;
  yes?: string;
  danger?: boolean;
  disabled?: boolean;
  act: () => unknown;
}) {
  const [asked, setAsked] = useState(false);
  const kind = danger ? 'danger' : '';
  return (
    <>
      <button type="button" class={kind} disabled={disabled} onClick={() => setAsked(true)}>{button}</button>
      {asked && (
        <Dialog title={title} onClose={() => setAsked(false)}>
          {text && <p>{text}</p>}
          <div class="actions">
            <button type="button" class={kind || 'main'} data-testid="confirm" onClick={() => { setAsked(false); act(); }}>{yes ?? button}</button>
            <button type="button" onClick={() => setAsked(false)}>{t.people.keep}</button>
          </div>
        </Dialog>
      )}
    </>
  );
}
