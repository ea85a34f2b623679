// What pupils get on paper: shown once, printed, gone.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Slip } from '../../calls/classes';
import { t } from '../../texts';
import { Dialog } from '../Dialog';
import { dayOf } from '../forms';

const p = t.people;

export function Slips({ title, slips, onDone }: { title: string; slips: readonly Slip[]; onDone: () => void }) {
  const [asked, setAsked] = useState(false);
  const [printed, setPrinted] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  // The codes are nowhere else: the browser asks before the page is closed.
  useEffect(() => {
    const stay = (e: BeforeUnloadEvent) => e.preventDefault();
    addEventListener('beforeunload', stay);
    return () => removeEventListener('beforeunload', stay);
  }, []);
  return (
    <>
      <div class="no-print">
        <h1 ref={heading} tabIndex={-1}>{p.slips}: {title}</h1>
        <p class="notice"><strong>{p.slipsOnce}</strong></p>
        <div class="actions">
          <button class="main" onClick={() => { setPrinted(true); print(); }}>{p.print}</button>
          <button onClick={() => (printed ? onDone() : setAsked(true))}>{p.slipsDone}</button>
        </div>
        <p />
      </div>
      <ul class="slips" data-testid="slips">
        {slips.map((slip) => (
          <li key={slip.account}>
            <h2>{slip.name}</h2>
            <dl>
              <div><dt>{p.slipAddress}</dt><dd>{location.host}</dd></div>
              <div><dt>{p.login}</dt><dd>{slip.login}</dd></div>
              <div><dt>{p.code}</dt><dd>{slip.code || p.slipUsed}</dd></div>
            </dl>
            <p>{title} · {p.slipHow} · {p.slipUntil(dayOf(slip.expires_at))}</p>
          </li>
        ))}
      </ul>
      {asked && (
        <Dialog title={p.slipsLeave} onClose={() => setAsked(false)}>
          <p>{p.slipsLeaveText}</p>
          <div class="actions">
            <button data-testid="confirm" onClick={onDone}>{p.leave}</button>
            <button class="main" onClick={() => setAsked(false)}>{p.stay}</button>
          </div>
        </Dialog>
      )}
    </>
  );
}
