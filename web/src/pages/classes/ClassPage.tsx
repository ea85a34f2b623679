// One class: for its teachers all that they do with it, for its pupils who is in it.

import { useState } from 'preact/hooks';
import { Problem } from '../../api';
import { accounts } from '../../calls/account';
import { classes, type Class, type ClassPeople, type Pupil, type Slip } from '../../calls/classes';
import { useSession } from '../../session';
import { t } from '../../texts';
import { MakeCode } from '../account/Codes';
import { Ask } from '../Ask';
import { Failure } from '../Failure';
import { dayOf, Field, Scroll, typed, useAct, useRead } from '../forms';
import { AddPupils } from './AddPupils';
import { Audit } from './Audit';
import { titleOf } from './ClassesPage';
import { Slips } from './Slips';

const p = t.people;

const ratingsOf = (pupil: Pupil) =>
  (pupil.ratings ?? []).map((r) => `${t[r.rules]} ${t[r.speed as 'blitz'].toLowerCase()} ${r.rating}${r.provisional ? '?' : ''}`);

function Pupils({ id, pupils, open, onSlips }: { id: string; pupils: Pupil[]; open: boolean; onSlips: (slips: Slip[]) => void }) {
  const { problem, busy, act } = useAct();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const able = pupils.filter((pupil) => pupil.made_by_class && !pupil.archived_at);
  const pick = (accounts: string[], on: boolean) => {
    const next = new Set(picked);
    for (const account of accounts) if (on) next.add(account); else next.delete(account);
    setPicked(next);
  };
  if (pupils.length === 0) return <section class="card"><h2>{p.pupils}</h2><p>{p.noPupils}</p></section>;
  return (
    <section class="card" data-testid="pupils">
      <h2>{p.pupils}</h2>
      <Failure problem={problem} />
      <Scroll label={p.pupils}>
        <table>
          <thead>
            <tr>
              {open && able.length > 0 && (
                <th class="pick" scope="col">
                  <input type="checkbox" aria-label={p.selectAll} checked={able.every((one) => picked.has(one.account))}
                    onChange={(e) => pick(able.map((one) => one.account), e.currentTarget.checked)} />
                </th>
              )}
              {[p.name, p.login, p.access, p.nav.ratings].map((h) => <th key={h} scope="col">{h}</th>)}
            </tr>
          </thead>
          <tbody>
            {pupils.map((pupil) => {
              const name = pupil.name || pupil.login;
              return (
                <tr key={pupil.account}>
                  {open && able.length > 0 && (
                    <td class="pick">
                      {able.includes(pupil) && (
                        <input type="checkbox" aria-label={p.pick(name)} checked={picked.has(pupil.account)}
                          onChange={(e) => pick([pupil.account], e.currentTarget.checked)} />
                      )}
                    </td>
                  )}
                  <td><a href={`/classes/${id}/pupils/${pupil.account}`}>{name}</a></td>
                  <td>{pupil.login}</td>
                  <td>
                    <span class={pupil.access === 'ready' ? 'tag' : 'tag wait'}>
                      {pupil.archived_at ? p.archivedPupil : p.accessNames[pupil.access ?? ''] ?? '—'}
                    </span>
                    {pupil.leaves_at && <div class="muted">{p.leavesOn(dayOf(pupil.leaves_at))}</div>}
                  </td>
                  <td>{pupil.ratings?.length ? ratingsOf(pupil).map((text) => <div key={text}>{text}</div>) : '—'}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      {open && able.length > 0 && (
        <div class="actions">
          <Ask button={p.resetSelected(picked.size)} title={p.resetAsk} text={p.resetText} yes={p.resetYes} disabled={busy || picked.size === 0}
            act={() => act(async () => onSlips(await classes.resetAccess(id, [...picked])))} />
        </div>
      )}
    </section>
  );
}

function Teachers({ id, people, open, again }: { id: string; people: ClassPeople; open: boolean; again: () => Promise<void> }) {
  const { problem, busy, act } = useAct();
  const teachers = people.teachers ?? [];
  const submit = (e: Event) => {
    const form = e.currentTarget as HTMLFormElement;
    const login = typed(e)('login').trim();
    void act(async () => {
      await classes.addTeacher(id, login || '-');
      form.reset();
      await again();
    });
  };
  return (
    <section class="card" data-testid="teachers">
      <h2>{p.coTeachers}</h2>
      <Failure problem={problem} />
      <ul class="games">
        {teachers.map((teacher) => (
          <li key={teacher.account}>
            <span>{teacher.login}</span>
            {open && teachers.length > 1 && (
              <button disabled={busy} aria-label={p.removeTeacher(teacher.login)}
                onClick={() => act(async () => { await classes.removeTeacher(id, teacher.account); await again(); })}>
                {p.remove}
              </button>
            )}
          </li>
        ))}
      </ul>
      {open && (
        <form class="inline" onSubmit={submit} noValidate>
          <Field name="login" label={p.teacherLogin} problem={problem} />
          <button disabled={busy}>{p.addTeacher}</button>
        </form>
      )}
    </section>
  );
}

/** Accounts that nobody uses are announced before they go. */
function Leaving({ about, again }: { about: Class; again: () => Promise<void> }) {
  const { problem, busy, act } = useAct();
  return (
    <section class="card notice" data-testid="leaving">
      <p>{p.leaving(about.leaving ?? 0, dayOf(about.leaves_at ?? ''))} {p.leavingText}</p>
      <Failure problem={problem} />
      <button disabled={busy} onClick={() => act(async () => { await classes.keepPupils(about.id); await again(); })}>{p.keepPupils}</button>
    </section>
  );
}

function Settings({ about, again }: { about: Class; again: () => Promise<void> }) {
  const { problem, busy, act } = useAct();
  const [saved, setSaved] = useState(false);
  const archived = !!about.archived_at;
  const submit = (e: Event) => {
    const value = typed(e);
    setSaved(false);
    void act(async () => {
      await classes.update(about.id, { name: value('name').trim(), school_year: Number(value('school_year')) || 0 });
      setSaved(true);
      await again();
    });
  };
  return (
    <section class="card" data-testid="settings">
      <h2>{p.settings}</h2>
      <Failure problem={problem} />
      {archived ? (
        <button class="main" disabled={busy} onClick={() => act(async () => { await classes.update(about.id, { archived: false }); await again(); })}>
          {p.restore}
        </button>
      ) : (
        <form class="inline" onSubmit={submit} noValidate>
          <Field name="name" label={p.className} value={about.name} maxLength={64} problem={problem} />
          <Field name="school_year" label={`${p.schoolYear} (${p.optional})`} inputMode="numeric" maxLength={4} problem={problem}
            value={about.school_year ? String(about.school_year) : ''} />
          <p role="status">{saved ? p.saved : ''}</p>
          <div class="actions">
            <button disabled={busy}>{p.save}</button>
            <Ask button={p.archive} title={p.archiveAsk} text={p.archiveText} danger disabled={busy}
              act={() => act(async () => { await classes.update(about.id, { archived: true }); await again(); })} />
          </div>
        </form>
      )}
    </section>
  );
}

export function ClassPage({ id }: { id: string }) {
  const { account } = useSession();
  const { value, problem, again } = useRead(id, () => classes.get(id));
  const [slips, setSlips] = useState<Slip[]>();
  if (!account) return <Failure problem={new Problem('not_logged_in', 401)} />;
  if (problem) return <Failure problem={problem} />;
  if (!value) return <p role="status">{p.loading}</p>;
  const about = value.class;
  const pupils = value.pupils ?? [];
  const open = !about.archived_at;
  const teaches = about.role === 'teacher';
  const manages = teaches || about.role === 'operator';
  if (slips) return <Slips title={titleOf(about)} slips={slips} onDone={() => { setSlips(undefined); void again(); }} />;
  return (
    <>
      <p><a href="/classes">{p.classesTitle}</a></p>
      <div class="heading">
        <h1>{titleOf(about)}</h1>
        <span class="muted">
          {p.pupilsCount(about.pupils ?? 0)} · {p.classRoles[about.role] ?? about.role} {!open && <span class="tag">{p.archived}</span>}
        </span>
      </div>
      {!open && <p class="notice">{p.archivedNote}</p>}
      {manages && about.leaves_at && <Leaving about={about} again={again} />}
      {manages ? (
        <>
          <Pupils id={id} pupils={pupils} open={open && teaches} onSlips={setSlips} />
          <div class="columns wide">
            <div class="stack">
              {open && teaches && <AddPupils id={id} present={pupils.map((one) => one.name ?? '')} onMade={setSlips} />}
              {open && teaches && (
                <section class="card">
                  <h2>{p.joinCode}</h2>
                  <MakeCode button={p.makeJoinCode} text={p.joinCodeText} make={() => accounts.makeCode({ purpose: 'pupil', class: id })} />
                </section>
              )}
            </div>
            <div class="stack">
              <Teachers id={id} people={value} open={open} again={again} />
              <Settings about={about} again={again} />
            </div>
          </div>
          <p />
          <details class="card">
            <summary>{p.audit}</summary>
            <Audit group={id} />
          </details>
        </>
      ) : (
        <div class="columns wide">
          <section class="card">
            <h2>{p.teachers}</h2>
            <ul class="plain">{(value.teachers ?? []).map((one) => <li key={one.account}>{one.login}</li>)}</ul>
          </section>
          <section class="card">
            <h2>{p.classmates}</h2>
            <ul class="plain">{pupils.map((one) => <li key={one.account}>{one.login}{one.account === account.id ? ` (${p.you})` : ''}</li>)}</ul>
          </section>
        </div>
      )}
    </>
  );
}
