// One's collections of records.

import { Problem } from '../../api';
import { collections } from '../../calls/collections';
import { go } from '../../router';
import { useSession } from '../../session';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { Choice, Field, typed, useAct, useRead } from '../forms';

const p = t.people;

function NewCollection() {
  const { problem, busy, act } = useAct();
  const submit = (e: Event) => {
    const value = typed(e);
    void act(async () => go(`/collections/${(await collections.create(value('rules'), value('name').trim())).id}`));
  };
  return (
    <section class="card">
      <h2>{p.newCollection}</h2>
      <form class="inline" onSubmit={submit} noValidate>
        <Failure problem={problem} />
        <Field name="name" label={p.name} maxLength={100} problem={problem} />
        <Choice name="rules" label={t.game} options={[['chess', t.chess], ['draughts', t.draughts]]} />
        <button class="main" disabled={busy}>{p.create}</button>
      </form>
    </section>
  );
}

/** What teachers of one's classes share; nothing where they share nothing. */
function Shared() {
  const { value = [] } = useRead('shared', collections.shared);
  if (value.length === 0) return null;
  return (
    <section class="card" data-testid="shared">
      <h2>{p.sharedWithYou}</h2>
      <ul class="games">
        {value.map((c) => (
          <li key={c.id}>
            <span>
              <a href={`/collections/${c.id}`}>{c.name}</a>
              <span class="detail muted">
                {[t[c.rules], p.records(c.records ?? 0), ...(c.shares ?? []).map((s) => s.name)].filter(Boolean).join(' · ')}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function CollectionsPage() {
  const { account } = useSession();
  const { value, problem } = useRead(account?.id ?? '', async () => (account ? collections.list() : []));
  if (!account) return <Failure problem={new Problem('not_logged_in', 401)} />;
  return (
    <>
      <h1>{p.collectionsTitle}</h1>
      <div class="columns wide">
        <section class="card" data-testid="collections">
          <h2>{p.nav.collections}</h2>
          <Failure problem={problem} />
          {!value && !problem && <p role="status">{p.loading}</p>}
          {value?.length === 0 && <p>{p.noCollections}</p>}
          <ul class="games">
            {(value ?? []).map((c) => (
              <li key={c.id}>
                <span>
                  <a href={`/collections/${c.id}`}>{c.name}</a>
                  <span class="detail muted">{t[c.rules]} · {p.records(c.records ?? 0)}</span>
                </span>
              </li>
            ))}
          </ul>
        </section>
        <div class="stack">
          <section class="card" data-testid="own-games">
            <h2>{p.ownGames}</h2>
            <p class="muted">{p.ownGamesText}</p>
            <div class="actions">
              <a class="button" href="/collections/games/chess">{t.chess}</a>
              <a class="button" href="/collections/games/draughts">{t.draughts}</a>
            </div>
          </section>
          <Shared />
          <NewCollection />
        </div>
      </div>
    </>
  );
}
