// Logging in at a computer that many use, without typing a password there: it shows
// a code that somebody confirms on a device of their own, and asks until they did.

import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../../api';
import { accounts, type StartedPairing } from '../../calls/account';
import { go } from '../../router';
import { useSession } from '../../session';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { asProblem, Field, timeOf, typed, useAct } from '../forms';

type End = 'denied' | 'expired';

/** Asks what became of a pairing, as often as the server allows. */
function useAnswer(pairing: StartedPairing | undefined, confirmed: () => void, ended: (end: End) => void) {
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    if (!pairing) return undefined;
    let stopped = false;
    let pause = Math.max(1, pairing.interval_s) * 1000;
    let timer = 0;
    const ask = async () => {
      try {
        const { status } = await accounts.pollPairing(pairing.device_code);
        if (stopped) return;
        setProblem(undefined);
        if (status === 'confirmed') return confirmed();
        if (status === 'denied') return ended('denied');
      } catch (e) {
        if (stopped) return;
        const failed = asProblem(e);
        if (failed.code === 'pairing_not_found') return ended('expired');
        if (failed.code === 'too_many_requests') pause += 1000;
        else setProblem(failed);
      }
      timer = window.setTimeout(ask, pause);
    };
    timer = window.setTimeout(ask, pause);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [pairing]);
  return problem;
}

export function SharedLogIn() {
  const { refresh } = useSession();
  const { problem, busy, act } = useAct();
  const [pairing, setPairing] = useState<StartedPairing>();
  const [end, setEnd] = useState<End>();
  const p = t.people;
  const trouble = useAnswer(pairing, () => void refresh().then(() => go('/')), (how) => {
    setEnd(how);
    setPairing(undefined);
  });
  const submit = (e: Event) => {
    const value = typed(e);
    void act(async () => {
      setPairing(await accounts.startPairing(value('name').trim()));
      setEnd(undefined);
    });
  };
  return (
    <form class="card form" onSubmit={submit} noValidate>
      <h1>{p.sharedLogin}</h1>
      <Failure problem={problem ?? trouble} />
      {pairing ? (
        <>
          <p>{p.sharedText}</p>
          <p class="code" data-testid="user-code">{pairing.user_code}</p>
          <p role="status">{p.sharedWaiting}</p>
          <p class="muted">{p.sharedUntil(timeOf(pairing.expires_at))}</p>
        </>
      ) : (
        <>
          {end && <p class="failure" role="alert" data-testid="pairing-ended">{end === 'denied' ? p.sharedDenied : p.sharedExpired}</p>}
          <Field name="name" label={`${p.computerName} (${p.optional})`} hint={p.computerHint} maxLength={64} problem={problem} />
          <button class="main" disabled={busy}>{end ? p.sharedAgain : p.showCode}</button>
        </>
      )}
      <p><a href="/login">{t.back}</a></p>
    </form>
  );
}
