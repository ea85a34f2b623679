// The audit log: what was done, by whom, to whom. Nothing in it can be changed.

import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../../api';
import { classes, type AuditEntry, type AuditPart } from '../../calls/classes';
import { useSession } from '../../session';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { Scroll, timeOf, useAct } from '../forms';
import { titleOf } from './ClassesPage';

const p = t.people;
const page = 50;

/** The names that one may know, by id. */
interface Names {
  people: ReadonlyMap<string, string>;
  classes: ReadonlyMap<string, string>;
}

export function namesOf({ people = [], classes: groups = [] }: AuditPart, before?: Names): Names {
  const named = people.map(({ account, login, name }): [string, string] =>
    [account, login === 'deleted' ? p.auditDeleted : name ? `${name} (${login})` : login]);
  return {
    people: new Map([...(before?.people ?? []), ...named]),
    classes: new Map([...(before?.classes ?? []), ...groups.map((c): [string, string] => [c.id, titleOf(c)])]),
  };
}

export function Audit({ group }: { group?: string }) {
  const { account } = useSession();
  const { problem, busy, act } = useAct();
  const [entries, setEntries] = useState<AuditEntry[]>();
  const [names, setNames] = useState<Names>();
  const [more, setMore] = useState(false);
  const read = (before: number) => act(async () => {
    const part = await classes.audit({ ...(group ? { class: group } : {}), before });
    const found = part.entries ?? [];
    setNames(namesOf(part, before === 0 ? undefined : names));
    setEntries(before === 0 ? found : [...(entries ?? []), ...found]);
    setMore(found.length === page);
  });
  useEffect(() => void read(0), [group]);
  const who = (id: string | undefined) => {
    if (!id) return p.nobody;
    if (id === account?.id) return p.you;
    if (id.startsWith('service:')) return p.auditSystem;
    // Of somebody whom one may not know, the part that tells them from others.
    return names?.people.get(id) ?? p.auditOther(id.slice(-4));
  };
  const where = (id: string | undefined) => (id ? names?.classes.get(id) ?? p.nobody : p.nobody);
  const columns = [p.auditWhen, p.auditWho, p.auditWhat, p.auditWhom, ...(group ? [] : [p.auditClass])];
  return (
    <div data-testid="audit">
      <Failure problem={problem} />
      {!entries && !problem && <p role="status">{p.loading}</p>}
      {entries?.length === 0 && <p>{p.noAudit}</p>}
      {entries && entries.length > 0 && (
        <Scroll label={p.auditTitle}>
          <table>
            <thead>
              <tr>{columns.map((h) => <th key={h} scope="col">{h}</th>)}</tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.number}>
                  <td>{timeOf(entry.at)}</td>
                  <td>{who(entry.actor)}</td>
                  <td>{p.actions[entry.action] ?? entry.action}{(entry.count ?? 0) > 1 ? ` (${entry.count}×)` : ''}</td>
                  <td>{who(entry.subject)}</td>
                  {!group && <td>{where(entry.class)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {more && <div class="actions"><button disabled={busy} onClick={() => read(entries?.[entries.length - 1]?.number ?? 0)}>{p.auditMore}</button></div>}
    </div>
  );
}

function Check() {
  const { problem, busy, act } = useAct();
  const [told, setTold] = useState<{ broken: number; checked: number }>();
  const check = () => act(async () => {
    for (let after = 0; ;) {
      const { checked = 0, more = false, broken = 0 } = await classes.checkAudit(after);
      if (broken > 0 || !more) return setTold({ broken, checked });
      after = checked;
    }
  });
  return (
    <>
      <Failure problem={problem} />
      <div class="actions"><button disabled={busy} onClick={check}>{p.auditCheck}</button></div>
      <p role="status">{told && (told.broken > 0 ? p.auditBroken(told.broken) : p.auditGood(told.checked))}</p>
    </>
  );
}

export function AuditPage() {
  const { account } = useSession();
  if (!account) return <Failure problem={new Problem('not_logged_in', 401)} />;
  const operator = account.roles?.includes('operator') ?? false;
  return (
    <>
      <p><a href="/classes">{p.classesTitle}</a></p>
      <h1>{p.auditTitle}</h1>
      {operator && <Check />}
      <section class="card"><Audit /></section>
    </>
  );
}
