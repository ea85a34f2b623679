// Corrects what the form of a registration asked: one's own, or that of somebody whom
// one looks after.

import { useState } from 'preact/hooks';
import { accounts, type PersonDetails } from '../../calls/account';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { Choice, Field, isoDay, typed, useAct, useRead } from '../forms';

const p = t.people;

const sexes: [string, string][] = [
  ['', t.choose], ['female', t.female], ['male', t.male], ['other', t.other], ['undisclosed', t.undisclosed],
];

/** What was typed and is otherwise than before. */
export function changed(before: PersonDetails, value: (name: string) => string): Parameters<typeof accounts.correct>[1] {
  const change: Parameters<typeof accounts.correct>[1] = {};
  const was = { ...before, birth_date: before.birth_date ? isoDay(before.birth_date) : '' };
  for (const name of ['first_name', 'surname', 'birth_date', 'sex'] as const) {
    const text = value(name).trim();
    if (text !== (was[name] ?? '')) change[name] = text;
  }
  return change;
}

function Form({ details, own, onDone }: { details: PersonDetails; own: boolean; onDone: (now: PersonDetails | undefined) => void }) {
  const { problem, busy, act } = useAct();
  const submit = (e: Event) => {
    const change = changed(details, typed(e));
    void act(async () => onDone(Object.keys(change).length > 0 ? await accounts.correct(details.account, change) : details));
  };
  return (
    <form class="inline" onSubmit={submit} noValidate>
      <Failure problem={problem} />
      <Field name="first_name" label={t.firstName} value={details.first_name ?? ''} maxLength={64} problem={problem} />
      <Field name="surname" label={t.surname} value={details.surname ?? ''} maxLength={64} problem={problem} />
      <Field name="birth_date" label={t.birthDate} value={details.birth_date ? isoDay(details.birth_date) : ''} problem={problem} />
      <Choice name="sex" label={t.sex} options={sexes} value={details.sex ?? ''} />
      <p class="muted">{own ? (details.protected ? p.correctProtected : p.correctOwn) : p.correctOther}</p>
      <button class="main" disabled={busy}>{p.correctSave}</button>
    </form>
  );
}

/** Closed until somebody wants it. */
export function Correct({ account, own = false, onDone }: { account: string; own?: boolean; onDone: () => unknown }) {
  const [open, setOpen] = useState(false);
  const [told, setTold] = useState('');
  return (
    <div data-testid="correct">
      <button type="button" aria-expanded={open} onClick={() => { setOpen(!open); setTold(''); }}>{p.correct}</button>
      <p role="status">{told}</p>
      {open && <Opened account={account} own={own} onDone={() => { setOpen(false); setTold(p.corrected); onDone(); }} />}
    </div>
  );
}

function Opened({ account, own, onDone }: { account: string; own: boolean; onDone: () => void }) {
  const { value, problem } = useRead(account, () => accounts.details(account));
  if (!value) return problem ? <Failure problem={problem} /> : <p role="status">{p.loading}</p>;
  if (own && value.made_by_class && value.protected) return <p class="notice">{p.correctByTeacher}</p>;
  return <Form details={value} own={own} onDone={onDone} />;
}
