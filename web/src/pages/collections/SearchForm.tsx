// What to search a collection for.

import type { Problem } from '../../api';
import type { Collection, Search } from '../../calls/collections';
import { t } from '../../texts';
import { Failure } from '../Failure';
import { Choice, Field, typed } from '../forms';

const p = t.people;
const results = ['1-0', '0-1', '1/2-1/2', '0-0', '*'];
const names = ['player', 'side', 'result', 'opening', 'eco', 'event', 'from', 'to', 'position'] as const;
const rare = ['eco', 'event', 'from', 'to', 'position'] as const;

export function SearchForm({ collection, search, busy, problem, onSearch }: {
  collection: Collection;
  search: Search;
  busy: boolean;
  problem: Problem | undefined;
  onSearch: (search: Search) => void;
}) {
  const chess = collection.rules === 'chess';
  const submit = (e: Event) => {
    const value = typed(e);
    const next: Search = {};
    for (const name of names) if (value(name).trim()) next[name] = value(name).trim();
    if (!next.player) delete next.side;
    onSearch(next);
  };
  const field = (name: keyof Search, label: string) => <Field name={name} label={label} value={search[name] ?? ''} problem={problem} />;
  return (
    <form class="card" role="search" aria-label={p.search} onSubmit={submit} noValidate>
      <h2>{p.search}</h2>
      <Failure problem={problem} />
      <div class="filters">
        {field('player', p.player)}
        <Choice name="side" label={p.playerSide} value={search.side ?? ''} options={[['', p.either], ['white', t.white], ['black', t.black]]} />
        <Choice name="result" label={p.result} value={search.result ?? ''} options={[['', p.anyResult], ...results.map((r): [string, string] => [r, r])]} />
        {chess && field('opening', p.opening)}
      </div>
      <details open={rare.some((name) => search[name])}>
        <summary>{p.moreFields}</summary>
        <div class="filters">
          {chess && field('eco', p.eco)}
          {field('event', p.event)}
          {field('from', p.fromDate)}
          {field('to', p.toDate)}
          {field('position', p.position[collection.rules] ?? '')}
        </div>
      </details>
      <div class="actions">
        <button class="main" disabled={busy}>{p.searchNow}</button>
        <button type="button" disabled={busy} onClick={() => onSearch({})}>{p.clearSearch}</button>
      </div>
    </form>
  );
}
