// The classes that one teaches or is in, and how one becomes a teacher.

import { useState } from 'preact/hooks';
import { Problem } from '../../api';
import { classes, type Class } from '../../calls/classes';
import { go } from '../../router';
import { useSession } from '../../session';
import { t } from '../../texts';
import { ClaimCode } from '../account/Codes';
import { Failure } from '../Failure';
import { Field, typed, useAct, useRead } from '../forms';

const p = t.people;

export const titleOf = (c: Pick<Class, 'name' | 'school_year'>) => (c.school_year ? `${c.name} (${c.school_year})` : c.name);

function NewClass() {
  const { problem, busy, act } = useAct();
  const submit = (e: Event) => {
    const value = typed(e);
    void act(async () => {
      const made = await classes.create(value('name').trim(), Number(value('school_year')) || 0);
      go(`/classes/${made.id}`);
    });
  };
  return (
    <section class="card">
      <h2>{p.newClass}</h2>
      <form class="inline" onSubmit={submit} noValidate>
        <Failure problem={problem} />
        <Field name="name" label={p.className} maxLength={64} problem={problem} />
        <Field name="school_year" label={`${p.schoolYear} (${p.optional})`} inputMode="numeric" maxLength={4} problem={problem}
          value={String(new Date().getFullYear())} />
        <button class="main" disabled={busy}>{p.create}</button>
      </form>
    </section>
  );
}

export function ClassesPage() {
  const { account } = useSession();
  const [archived, setArchived] = useState(false);
  const [all, setAll] = useState(false);
  const { value, problem, again } = useRead(`${archived} ${all} ${account?.id}`, async () => (account ? classes.list(archived, all) : []));
  if (!account) return <Failure problem={new Problem('not_logged_in', 401)} />;
  const has = (role: string) => account.roles?.includes(role) ?? false;
  return (
    <>
      <h1>{p.classesTitle}</h1>
      <div class="columns wide">
        <section class="card" data-testid="classes">
          <h2>{p.classesTitle}</h2>
          <label class="check">
            <input type="checkbox" checked={archived} onChange={(e) => setArchived(e.currentTarget.checked)} /> {p.showArchived}
          </label>
          {has('operator') && (
            <label class="check">
              <input type="checkbox" checked={all} onChange={(e) => setAll(e.currentTarget.checked)} /> {p.allClasses}
            </label>
          )}
          <Failure problem={problem} />
          {!value && !problem && <p role="status">{p.loading}</p>}
          {value?.length === 0 && <p>{p.noClasses}</p>}
          <ul class="games">
            {(value ?? []).map((c) => (
              <li key={c.id}>
                <span>
                  <a href={`/classes/${c.id}`}>{titleOf(c)}</a>
                  <span class="detail muted">{p.pupilsCount(c.pupils ?? 0)} · {p.classRoles[c.role] ?? c.role}</span>
                </span>
                {c.archived_at && <span class="tag">{p.archived}</span>}
              </li>
            ))}
          </ul>
          {(has('operator') || has('teacher')) && <p><a href="/audit">{p.auditTitle}</a></p>}
        </section>
        <div class="stack">
          {has('teacher') && <NewClass />}
          <section class="card">
            <h2>{has('teacher') ? p.codes : p.becomeTeacher}</h2>
            {!has('teacher') && <p class="muted">{p.becomeTeacherText}</p>}
            <ClaimCode onUsed={again} />
          </section>
        </div>
      </div>
    </>
  );
}
