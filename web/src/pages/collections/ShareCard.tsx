// Which classes see a collection, and for their teacher how that changes.

import { classes } from '../../calls/classes';
import { collections, type Collection } from '../../calls/collections';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { Choice, typed, useAct, useRead } from '../forms';

const p = t.people;

export function ShareCard({ collection, told }: { collection: Collection; told: () => Promise<void> }) {
  const { value = [] } = useRead('classes', () => classes.list(false));
  const { problem, busy, act } = useAct();
  const shares = collection.shares ?? [];
  const taught = value.filter((c) => c.role === 'teacher' && !c.archived_at);
  const left = taught.filter((c) => !shares.some((s) => s.class === c.id));
  if (taught.length === 0 && shares.length === 0) return null;
  const submit = (e: Event) => {
    const group = typed(e)('class');
    void act(async () => { await collections.share(collection.id, group); await told(); });
  };
  return (
    <section class="card" data-testid="shares">
      <h2>{p.shareTitle}</h2>
      <p class="muted">{p.shareText}</p>
      <Failure problem={problem} />
      {shares.length > 0 && (
        <ul class="games">
          {shares.map((s) => (
            <li key={s.class}>
              <span>{s.name || p.formerClass}</span>
              <button disabled={busy} aria-label={p.unshareOf(s.name || p.formerClass)}
                onClick={() => act(async () => { await collections.unshare(collection.id, s.class); await told(); })}>{p.unshare}</button>
            </li>
          ))}
        </ul>
      )}
      {left.length > 0 && (
        <form class="inline" onSubmit={submit} noValidate>
          <Choice name="class" label={p.shareWith}
            options={left.map((c): [string, string] => [c.id, c.school_year ? `${c.name} (${c.school_year})` : c.name])} />
          <button disabled={busy}>{p.share}</button>
        </form>
      )}
    </section>
  );
}
