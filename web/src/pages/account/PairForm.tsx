// Letting in a board or a shared computer by the code that it shows.

import { useState } from 'preact/hooks';
import { accounts, type Pairing } from '../../calls/account';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { Choice, Field, timeOf, typed, useAct } from '../forms';

const minutes = [15, 30, 60, 120, 240, 480];

export function PairForm({ onPaired }: { onPaired?: () => void }) {
  const { problem, busy, act } = useAct();
  const [asked, setAsked] = useState<{ code: string; pairing: Pairing }>();
  const [done, setDone] = useState('');
  const p = t.people;
  const look = (e: Event) => {
    const code = typed(e)('user_code').trim();
    setDone('');
    void act(async () => setAsked({ code, pairing: await accounts.pairing(code || '-') }));
  };
  const answer = (text: string, what: () => Promise<unknown>) => act(async () => {
    await what();
    setAsked(undefined);
    setDone(text);
    onPaired?.();
  });
  const confirm = (e: Event) => {
    const value = typed(e);
    if (!asked) return;
    const { code, pairing: { kind } } = asked;
    void answer(p.paired, () => accounts.confirmPairing(code, kind === 'board'
      ? { kind, name: value('name').trim() }
      : { kind, minutes: Number(value('minutes')) }));
  };
  if (!asked) {
    return (
      <form class="inline" onSubmit={look} noValidate>
        <Failure problem={problem} />
        {done && <p class="notice" role="status" data-testid="pair-done">{done}</p>}
        <Field name="user_code" label={p.userCode} problem={problem} maxLength={32} />
        <button disabled={busy}>{p.lookUp}</button>
      </form>
    );
  }
  const { pairing } = asked;
  return (
    <form class="inline" onSubmit={confirm} noValidate data-testid="pair-asks">
      <Failure problem={problem} />
      <p>{p.pairingAsks}</p>
      <dl>
        <div><dt>{p.pairingKinds[pairing.kind] ?? pairing.kind}</dt><dd>{pairing.name || p.unknownDevice}</dd></div>
        <div><dt>{p.network}</dt><dd>{pairing.network || '—'}</dd></div>
        <div><dt>{p.askedAt}</dt><dd>{timeOf(pairing.created_at)}</dd></div>
      </dl>
      {pairing.kind === 'board'
        ? <Field name="name" label={p.boardName} value={pairing.name ?? ''} maxLength={64} problem={problem} />
        : <Choice name="minutes" label={p.pairingMinutes} value="60" options={minutes.map((m) => [String(m), p.minutes(m)])} />}
      <p><strong>{p.pairingCheck}</strong></p>
      <div class="actions">
        <button class="main" disabled={busy}>{p.confirmPairing}</button>
        <button type="button" disabled={busy} onClick={() => answer(p.deniedPairing, () => accounts.denyPairing(asked.code))}>
          {p.denyPairing}
        </button>
      </div>
    </form>
  );
}
