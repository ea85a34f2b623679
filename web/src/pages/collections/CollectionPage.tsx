// One collection: importing into it, searching it, taking it away.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from '../../api';
import { collections, type RecordSummary, type Search } from '../../calls/collections';
import { go } from '../../router';
import { useSession } from '../../session';
import { t } from '../../texts';
import { Ask } from '../Ask';
import { Failure } from '../Failure';
import { download, Field, isoDay, Scroll, typed, useAct, useRead } from '../forms';
import { ImportFile } from './ImportFile';
import { keepSearch, lastSearch } from './last';
import { SearchForm } from './SearchForm';
import { ShareCard } from './ShareCard';

const p = t.people;

export const playersOf = (r: Pick<RecordSummary, 'white' | 'black'>) => t.against(r.white || '?', r.black || '?');

function Results({ id, records, next, busy, onMore }: {
  id: string;
  records: RecordSummary[];
  next: number;
  busy: boolean;
  onMore: () => void;
}) {
  return (
    <section class="card" data-testid="results">
      <h2>{p.found}</h2>
      {records.length === 0 && next === 0 ? <p role="status">{p.noneFound}</p> : (
        <Scroll label={p.found}>
          <table>
            <thead>
              <tr>{[p.games, p.result, p.opening, p.event, p.date, p.plies].map((h) => <th key={h} scope="col">{h}</th>)}</tr>
            </thead>
            <tbody>
              {records.map((r) => (
                <tr key={r.number}>
                  <td><a href={`/collections/${id}/${r.number}`}>{playersOf(r)}</a></td>
                  <td>{r.result}</td>
                  <td>{[r.eco, r.opening].filter(Boolean).join(' ') || '—'}</td>
                  <td>{r.event || '—'}</td>
                  <td>{r.date ? isoDay(r.date) : '—'}</td>
                  <td>{r.plies ?? 0}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {next > 0 && <div class="actions"><button disabled={busy} onClick={onMore}>{p.more}</button></div>}
    </section>
  );
}

export function CollectionPage({ id }: { id: string }) {
  const { account } = useSession();
  const { value: collection, problem, again } = useRead(id, () => collections.get(id));
  const { problem: failed, busy, act } = useAct();
  const { problem: unfound, busy: searching, act: look } = useAct();
  const [search, setSearch] = useState<Search>(() => lastSearch(id));
  const [found, setFound] = useState<{ records: RecordSummary[]; next: number }>();
  const newest = useRef(0);
  const read = (what: Search, after: number) => {
    const turn = ++newest.current;
    return look(async () => {
      const page = await collections.search(id, what, after);
      if (turn === newest.current) setFound((was) => ({ records: [...(after ? was?.records ?? [] : []), ...page.records], next: page.next }));
    });
  };
  const begin = (what: Search) => {
    keepSearch(id, what);
    setSearch(what);
    void read(what, 0);
  };
  useEffect(() => {
    if (account) begin(search);
  }, [id]);
  if (!account) return <Failure problem={new Problem('not_logged_in', 401)} />;
  if (problem) return <Failure problem={problem} />;
  if (!collection) return <p role="status">{p.loading}</p>;
  const rename = (e: Event) => {
    const name = typed(e)('name').trim();
    void act(async () => { await collections.rename(id, name); await again(); });
  };
  const file = `${collection.name.replace(/[^\p{L}\p{N} _-]/gu, '').trim() || 'tabuleiro'}.${collection.rules === 'chess' ? 'pgn' : 'pdn'}`;
  return (
    <>
      <p><a href="/collections">{p.collectionsTitle}</a></p>
      <div class="heading">
        <h1>{collection.name}</h1>
        <span class="muted" data-testid="size">{t[collection.rules]} · {p.records(collection.records ?? 0)}</span>
      </div>
      <SearchForm key={JSON.stringify(search)} collection={collection} search={search} busy={searching} problem={unfound} onSearch={begin} />
      {found && <Results id={id} records={found.records} next={found.next} busy={searching} onMore={() => read(search, found.next)} />}
      <div class="columns wide">
        {collection.own && (
          <div class="stack">
            <ImportFile collection={collection} onDone={() => { void again(); void read(search, 0); }} />
            <ShareCard collection={collection} told={again} />
          </div>
        )}
        <section class="card" data-testid="collection-settings">
          <h2>{collection.name}</h2>
          <Failure problem={failed} />
          {collection.own ? (
            <form class="inline" onSubmit={rename} noValidate>
              <Field name="name" label={p.name} value={collection.name} maxLength={100} problem={failed} />
              <button disabled={busy}>{p.renameCollection}</button>
            </form>
          ) : <p class="muted">{p.sharedBy((collection.shares ?? []).map((s) => s.name ?? '').join(', '))}</p>}
          <div class="actions">
            <button disabled={busy || !collection.records} onClick={() => act(() => download(`/v1/collections/${id}/export`, file))}>{p.exportAll}</button>
            {collection.own && (
              <Ask button={p.deleteCollection} title={p.deleteCollectionAsk(collection.name)} text={p.deleteCollectionText} danger disabled={busy}
                act={() => act(async () => { await collections.remove(id); go('/collections'); })} />
            )}
          </div>
        </section>
      </div>
    </>
  );
}
