// What opens the account: the password, sessions, keys for programs, devices.

import { useState } from 'preact/hooks';
import { accounts, type Token } from '../../calls/account';
import { go } from '../../router';
import { useSession } from '../../session';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { Choice, dayOf, Field, Secret, timeOf, typed, useAct, useRead } from '../forms';
import { PairForm } from './PairForm';

const p = t.people;

export function Password() {
  const { refresh } = useSession();
  const { problem, busy, act } = useAct();
  const submit = (e: Event) => {
    const value = typed(e);
    void act(async () => {
      await accounts.changePassword(value('old_password'), value('new_password'), value('revoke') === 'on');
      await refresh();
      go('/login/changed');
    });
  };
  return (
    <section class="card">
      <h2>{p.changePassword}</h2>
      <form class="inline" onSubmit={submit} noValidate>
        <p class="muted">{p.passwordEnds}</p>
        <Failure problem={problem} />
        <Field name="old_password" label={p.oldPassword} type="password" autocomplete="current-password" problem={problem} />
        <Field name="new_password" label={p.newPassword} type="password" autocomplete="new-password" hint={p.passwordHint} problem={problem} />
        <label class="check"><input type="checkbox" name="revoke" /> {p.revokeTokens}</label>
        <button class="main" disabled={busy}>{p.changePassword}</button>
      </form>
    </section>
  );
}

export function Sessions() {
  const { value = [], problem, again } = useRead('sessions', accounts.sessions);
  const { problem: failed, busy, act } = useAct();
  const [told, setTold] = useState('');
  const others = value.filter((s) => !s.current);
  return (
    <section class="card" data-testid="sessions">
      <h2>{p.sessions}</h2>
      <p class="muted">{p.sessionsText}</p>
      <Failure problem={problem ?? failed} />
      <ul class="games">
        {value.map((s) => {
          const device = s.device ? p.deviceOn(s.device) : p.unknownDevice;
          const facts = [
            p.sessionKinds[s.kind] ?? '', s.network ? p.fromNetwork(s.network) : '', p.openedAt(timeOf(s.created_at)),
            s.used_at ? p.usedAt(timeOf(s.used_at)) : '',
          ].filter(Boolean);
          return (
            <li key={s.id}>
              <span>
                <strong>{device}</strong>{s.current && <em> ({p.thisSession})</em>}
                <span class="detail muted">{facts.join(' · ')}</span>
              </span>
              {!s.current && (
                <button disabled={busy} aria-label={p.endSessionOf(device)}
                  onClick={() => act(async () => { await accounts.endSession(s.id); await again(); })}>
                  {p.endSession}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <p role="status">{told}</p>
      {others.length > 0 && (
        <button disabled={busy} onClick={() => act(async () => { setTold(p.othersEnded(await accounts.endOthers())); await again(); })}>
          {p.endOthers}
        </button>
      )}
    </section>
  );
}

function NewToken({ onMade }: { onMade: (token: Token, text: string | undefined) => void }) {
  const { problem, busy, act } = useAct();
  const submit = (e: Event) => {
    const form = e.currentTarget as HTMLFormElement;
    const value = typed(e);
    const scopes = new FormData(form).getAll('scopes').map(String);
    void act(async () => {
      const { token, text } = await accounts.createToken(value('name').trim(), scopes, Number(value('days')));
      form.reset();
      onMade(token, text);
    });
  };
  return (
    <details>
      <summary>{p.newToken}</summary>
      <form class="inline" onSubmit={submit} noValidate>
        <Failure problem={problem} />
        <Field name="name" label={p.tokenName} maxLength={64} problem={problem} />
        <fieldset>
          <legend>{p.scopesLabel}</legend>
          {Object.entries(p.scopes).map(([scope, text]) => (
            <label class="check" key={scope}><input type="checkbox" name="scopes" value={scope} /> {text}</label>
          ))}
        </fieldset>
        <Choice name="days" label={p.tokenDays} value="90" options={[7, 30, 90, 365].map((n) => [String(n), p.days(n)])} />
        <button class="main" disabled={busy}>{p.createToken}</button>
      </form>
    </details>
  );
}

export function Tokens() {
  const { value = [], problem, again } = useRead('tokens', accounts.tokens);
  const { problem: failed, busy, act } = useAct();
  const [made, setMade] = useState<{ token: Token; text: string | undefined }>();
  return (
    <section class="card" data-testid="tokens">
      <h2>{p.tokens}</h2>
      <p class="muted">{p.tokensText}</p>
      <Failure problem={problem ?? failed} />
      {value.length === 0 && <p>{p.noTokens}</p>}
      <ul class="games">
        {value.map((token) => (
          <li key={token.id}>
            <span>
              <strong>{token.name}</strong>
              <span class="detail">{token.scopes.map((s) => p.scopes[s] ?? s).join(', ')}</span>
              <span class="detail muted">
                {p.expires(dayOf(token.expires_at))} · {token.used_at ? p.usedAt(timeOf(token.used_at)) : p.neverUsed}
              </span>
            </span>
            <button disabled={busy} aria-label={p.revokeToken(token.name)} onClick={() => act(async () => {
              await accounts.revokeToken(token.id);
              if (made?.token.id === token.id) setMade(undefined);
              await again();
            })}>
              {p.revoke}
            </button>
          </li>
        ))}
      </ul>
      {made && (made.text
        ? <Secret label={p.tokenText} text={made.text} note={p.tokenOnce} />
        : <p class="notice" role="status">{p.tokenGone}</p>)}
      <NewToken onMade={(token, text) => { setMade({ token, text }); void again(); }} />
    </section>
  );
}

export function Devices() {
  const { value = [], problem, again } = useRead('boards', accounts.boards);
  const { problem: failed, busy, act } = useAct();
  return (
    <section class="card" data-testid="devices">
      <h2>{p.pairing}</h2>
      <p class="muted">{p.pairingText}</p>
      <PairForm onPaired={again} />
      <Failure problem={problem ?? failed} />
      {value.length > 0 && (
        <>
          <h3>{p.boards}</h3>
          <ul class="games">
            {value.map((board) => (
              <li key={board.id}>
                <span><strong>{board.name}</strong><span class="detail muted">{p.pairedAt(timeOf(board.created_at))}</span></span>
                <button disabled={busy} aria-label={p.removeBoard(board.name)}
                  onClick={() => act(async () => { await accounts.revokeBoard(board.id); await again(); })}>
                  {p.remove}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
