// One-time codes: using those that one was given, and making those of an operator.

import { useState } from 'preact/hooks';
import { accounts, type Code } from '../../calls/account';
import { useSession } from '../../session';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { dayOf, Field, Secret, typed, useAct } from '../forms';

const p = t.people;

/** A code to use: for being a teacher, a guardian, or a pupil of a class. */
export function ClaimCode({ onUsed }: { onUsed?: () => void }) {
  const { refresh } = useSession();
  const { problem, busy, act } = useAct();
  const [told, setTold] = useState('');
  const submit = (e: Event) => {
    const form = e.currentTarget as HTMLFormElement;
    const code = typed(e)('code').trim();
    setTold('');
    void act(async () => {
      const { purpose } = await accounts.claim(code || '-');
      form.reset();
      setTold(p.codeGave[purpose] ?? p.saved);
      await refresh();
      onUsed?.();
    });
  };
  return (
    <form class="inline" onSubmit={submit} noValidate data-testid="claim">
      <Failure problem={problem} />
      {told && <p class="notice" role="status">{told}</p>}
      <Field name="code" label={p.code} problem={problem} maxLength={64} />
      <button disabled={busy}>{p.useCode}</button>
    </form>
  );
}

export function ClaimOperator() {
  const { refresh } = useSession();
  const { problem, busy, act } = useAct();
  const [done, setDone] = useState(false);
  const submit = (e: Event) => {
    const code = typed(e)('operator_code').trim();
    void act(async () => {
      await accounts.claimOperator(code || '-');
      setDone(true);
      await refresh();
    });
  };
  if (done) return <p class="notice" role="status">{p.operatorNow}</p>;
  return (
    <details>
      <summary>{p.operatorCode}</summary>
      <form class="inline" onSubmit={submit} noValidate data-testid="claim-operator">
        <p class="muted">{p.operatorText}</p>
        <Failure problem={problem} />
        <Field name="operator_code" label={p.code} problem={problem} maxLength={64} />
        <button disabled={busy}>{p.useCode}</button>
      </form>
    </details>
  );
}

/** Makes a code and shows it once. */
export function MakeCode({ button, text, make }: { button: string; text: string; make: () => Promise<Code> }) {
  const { problem, busy, act } = useAct();
  const [made, setMade] = useState<Code>();
  return (
    <div class="inline">
      <p class="muted">{text}</p>
      <Failure problem={problem} />
      {made?.code && <Secret label={p.code} text={made.code} note={p.codeOnce(dayOf(made.expires_at))} />}
      <button disabled={busy} onClick={() => act(async () => setMade(await make()))}>{button}</button>
    </div>
  );
}
