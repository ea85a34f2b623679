// The second factor: setting it up, recovery codes, and taking it away.

import { useState } from 'preact/hooks';
import { type BegunFactor, factor } from '../../calls/factor';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { dayOf, Field, keep, typed, useAct, useRead } from '../forms';

const p = t.people;

/** A QR code, with the light border that readers need. */
function QR({ rows }: { rows: string[] }) {
  const size = rows.length + 8;
  const path = rows.flatMap((row, y) => [...row].map((dot, x) => (dot === '1' ? `M${x + 4} ${y + 4}h1v1h-1z` : ''))).join('');
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={p.factorQR} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <div class="notice" data-testid="recovery">
      <h3>{p.recoveryTitle}</h3>
      <p>{codes.length > 0 ? p.recoveryText : p.recoveryGone}</p>
      <ol class="codes">{codes.map((code) => <li key={code}><code>{code}</code></li>)}</ol>
      <div class="actions">
        {codes.length > 0 && (
          <button type="button" onClick={() => keep(new Blob([codes.join('\n') + '\n'], { type: 'text/plain' }), p.recoveryFile)}>
            {p.recoverySave}
          </button>
        )}
        <button type="button" class="main" onClick={onDone}>{p.recoveryDone}</button>
      </div>
    </div>
  );
}

function SetUp({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const { problem, busy, act } = useAct();
  const [begun, setBegun] = useState<BegunFactor>();
  const begin = (e: Event) => {
    const value = typed(e);
    void act(async () => setBegun(await factor.begin(value('password'))));
  };
  const confirm = (e: Event) => {
    const value = typed(e);
    void act(async () => onCodes(await factor.confirm(value('code'))));
  };
  if (!begun) {
    return (
      <form class="inline" onSubmit={begin} noValidate>
        <p class="muted">{p.factorText}</p>
        <Failure problem={problem} />
        <Field name="password" label={p.oldPassword} type="password" autocomplete="current-password" problem={problem} />
        <button class="main" disabled={busy}>{p.factorBegin}</button>
      </form>
    );
  }
  return (
    <form class="inline" onSubmit={confirm} noValidate>
      <p>{p.factorScan}</p>
      <QR rows={begun.qr} />
      <p><a href={begun.uri} data-plain>{p.factorOpen}</a></p>
      <p>{p.factorType} <code class="spaced" data-testid="factor-secret">{begun.secret.match(/.{1,4}/g)?.join(' ')}</code></p>
      <Failure problem={problem} />
      <Field name="code" label={p.factorCode} autocomplete="one-time-code" inputMode="numeric" problem={problem} />
      <button class="main" disabled={busy}>{p.factorConfirm}</button>
    </form>
  );
}

/** What needs the password and a code: new recovery codes, or the end of it all. */
function Prove({ button, danger, text, act: prove }: {
  button: string; danger?: boolean; text: string; act: (password: string, code: string) => Promise<unknown>;
}) {
  const { problem, busy, act } = useAct();
  const submit = (e: Event) => {
    const value = typed(e);
    void act(() => prove(value('password'), value('code')));
  };
  return (
    <details>
      <summary>{button}</summary>
      <form class="inline" onSubmit={submit} noValidate>
        <p class="muted">{text}</p>
        <Failure problem={problem} />
        <Field name="password" label={p.oldPassword} type="password" autocomplete="current-password" problem={problem} />
        <Field name="code" label={p.factorAnyCode} autocomplete="one-time-code" problem={problem} />
        <button class={danger ? 'danger' : 'main'} disabled={busy}>{button}</button>
      </form>
    </details>
  );
}

export function SecondFactorCard() {
  const { value, problem, again } = useRead('factor', factor.get);
  const [codes, setCodes] = useState<string[]>();
  if (value && !value.allowed && !value.since) return null;
  const show = async (made: string[]) => { setCodes(made); await again(); };
  return (
    <section class="card" data-testid="factor">
      <h2>{p.factorTitle}</h2>
      <Failure problem={problem} />
      {value?.required && !value.since && <p class="notice">{p.factorRequired}</p>}
      {codes ? <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} /> : value?.since ? (
        <>
          <p>{p.factorSince(dayOf(value.since))} {p.recoveryLeft(value.recovery_codes ?? 0)}</p>
          <Prove button={p.recoveryNew} text={p.recoveryNewText} act={async (password, code) => show(await factor.renew(password, code))} />
          <Prove button={p.factorEnd} danger text={p.factorEndText} act={async (password, code) => { await factor.end(password, code); await again(); }} />
        </>
      ) : value && <SetUp onCodes={show} />}
    </section>
  );
}
