// One's own games: searched like a collection, walked through, played on from any ply.

import { useEffect, useRef, useState } from 'preact/hooks';
import { api, Problem, text } from '../../api';
import { collections, type FoundGame, type FullRecord, type GameSearch } from '../../calls/collections';
import { go } from '../../router';
import { useSession } from '../../session';
import { t } from '../../texts';
import type { Rules } from '../../types';
import { Failure } from '../Failure';
import { Choice, Field, isoDay, Scroll, typed, useAct, useRead } from '../forms';
import { playersOf } from './CollectionPage';
import { keepGameSearch, lastGameSearch } from './last';
import { Record } from './RecordPage';
import { fullOf } from './replay';

const p = t.people;
const names = ['opponent', 'side', 'outcome', 'opening', 'eco', 'from', 'to', 'position'] as const;
const rare = ['eco', 'from', 'to', 'position'] as const;

function Form({ rules, search, busy, problem, onSearch }: {
  rules: Rules;
  search: GameSearch;
  busy: boolean;
  problem: Problem | undefined;
  onSearch: (search: GameSearch) => void;
}) {
  const submit = (e: Event) => {
    const value = typed(e);
    const next: GameSearch = {};
    for (const name of names) if (value(name).trim()) next[name] = value(name).trim();
    onSearch(next);
  };
  const field = (name: keyof GameSearch, label: string) => <Field name={name} label={label} value={search[name] ?? ''} problem={problem} />;
  return (
    <form class="card" role="search" aria-label={p.search} onSubmit={submit} noValidate>
      <h2>{p.search}</h2>
      <Failure problem={problem} />
      <div class="filters">
        {field('opponent', p.opponentName)}
        <Choice name="side" label={p.yourSide} value={search.side ?? ''} options={[['', p.either], ['white', t.white], ['black', t.black]]} />
        <Choice name="outcome" label={p.result} value={search.outcome ?? ''} options={[['', p.anyResult], ...Object.entries(p.outcomes)]} />
        {rules === 'chess' && field('opening', p.opening)}
      </div>
      <details open={rare.some((name) => search[name])}>
        <summary>{p.moreFields}</summary>
        <div class="filters">
          {rules === 'chess' && field('eco', p.eco)}
          {field('from', p.fromDate)}
          {field('to', p.toDate)}
          {field('position', p.position[rules] ?? '')}
        </div>
      </details>
      <div class="actions">
        <button class="main" disabled={busy}>{p.searchNow}</button>
        <button type="button" disabled={busy} onClick={() => onSearch({})}>{p.clearSearch}</button>
      </div>
    </form>
  );
}

export function GamesPage({ rules }: { rules: Rules }) {
  const { account } = useSession();
  const { problem, busy, act } = useAct();
  const [search, setSearch] = useState<GameSearch>(() => lastGameSearch(rules));
  const [found, setFound] = useState<{ games: FoundGame[]; next: string }>();
  const newest = useRef(0);
  const read = (what: GameSearch, before: string) => {
    const turn = ++newest.current;
    return act(async () => {
      const page = await collections.games(rules, what, before);
      if (turn === newest.current) setFound((was) => ({ games: [...(before ? was?.games ?? [] : []), ...page.games], next: page.next }));
    });
  };
  const begin = (what: GameSearch) => {
    keepGameSearch(rules, what);
    setSearch(what);
    void read(what, '');
  };
  useEffect(() => {
    if (account) begin(search);
  }, [rules]);
  if (!account) return <Failure problem={new Problem('not_logged_in', 401)} />;
  const games = found?.games ?? [];
  return (
    <>
      <p><a href="/collections">{p.collectionsTitle}</a></p>
      <h1>{p.ownGames}: {t[rules]}</h1>
      <Form key={JSON.stringify(search)} rules={rules} search={search} busy={busy} problem={problem} onSearch={begin} />
      {found && (
        <section class="card" data-testid="results">
          <h2>{p.found}</h2>
          {games.length === 0 && <p role="status">{found.next ? p.noneYet : p.noneFound}</p>}
          {games.length > 0 && (
            <Scroll label={p.found}>
              <table>
                <thead>
                  <tr>{[p.games, p.result, p.opening, p.date, p.plies].map((h) => <th key={h} scope="col">{h}</th>)}</tr>
                </thead>
                <tbody>
                  {games.map(({ game, record }) => (
                    <tr key={game}>
                      <td><a href={`/collections/games/${rules}/${game}`}>{playersOf(record)}</a></td>
                      <td>{record.result}</td>
                      <td>{[record.eco, record.opening].filter(Boolean).join(' ') || '—'}</td>
                      <td>{record.date ? isoDay(record.date) : '—'}</td>
                      <td>{record.plies ?? 0}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )}
          {found.next && <div class="actions"><button disabled={busy} onClick={() => read(search, found.next)}>{p.more}</button></div>}
        </section>
      )}
    </>
  );
}

export function OwnGamePage({ rules, id }: { rules: Rules; id: string }) {
  const { account } = useSession();
  const { value, problem } = useRead(id, async (): Promise<FullRecord> => {
    const written = await text(`/v1/games/${id}/record`);
    const [game] = await api.readRecord(rules, written);
    if (!game) throw new Problem('record_not_found', 404);
    return fullOf(rules, written, game);
  });
  if (!account) return <Failure problem={new Problem('not_logged_in', 401)} />;
  if (problem) return <Failure problem={problem} />;
  if (!value) return <p role="status">{p.loading}</p>;
  const path = `/collections/games/${rules}`;
  return (
    <Record full={value} back={{ path, text: p.backToOwnGames }}
      onPosition={(position) => { keepGameSearch(rules, { position }); go(path); }} />
  );
}
