// One record: walked through on the board, played on from any of its positions.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api, Problem, type NewGame } from '../../api';
import { Board } from '../../board/Board';
import { collections, type FullRecord } from '../../calls/collections';
import { go } from '../../router';
import { useSession } from '../../session';
import { t } from '../../texts';
import type { Piece, Rules, Ruling } from '../../types';
import { Ask } from '../Ask';
import { Failure } from '../Failure';
import { Choice, isoDay, keep, typed, useAct, useRead } from '../forms';
import { MoveList } from '../game/MoveList';
import { playersOf } from './CollectionPage';
import { keepSearch } from './last';
import { asGame } from './replay';

const p = t.people;
const none: Piece[] = [];
/** What CreateGame takes of a record, in bytes. */
const mostText = 65536;

/** What stands in a position; the one before stays until the server has told. */
function useRuling(rules: Rules, text: string) {
  const known = useRef(new Map<string, Ruling>());
  const [ruling, setRuling] = useState<Ruling>();
  useEffect(() => {
    const found = known.current.get(text);
    if (found) return setRuling(found);
    let stale = false;
    api.inspect(rules, text).then((told) => {
      known.current.set(text, told);
      if (!stale) setRuling(told);
    }, () => undefined);
    return () => { stale = true; };
  }, [rules, text]);
  return ruling;
}

function PlayOn({ full, ply, position, side }: { full: FullRecord; ply: number; position: string; side: string }) {
  const { problem, busy, act } = useAct();
  const [opponent, setOpponent] = useState<'engine' | 'person' | 'self'>('engine');
  const submit = (e: Event) => {
    const value = typed(e);
    const whole = new TextEncoder().encode(full.text).length <= mostText;
    const game: NewGame = {
      rules: full.rules, opponent, rated: false, side: opponent === 'self' ? '' : value('side'),
      ...(opponent === 'engine' ? { level: value('level') } : {}),
      ...(whole ? { record: { text: full.text, ply } } : { start: position }),
    };
    void act(async () => go(`/games/${(await api.create(game)).id}`));
  };
  return (
    <section class="card" data-testid="play-on">
      <h2>{p.playOn}</h2>
      <form class="inline" onSubmit={submit}>
        <p class="muted">{p.playOnText(ply)}</p>
        <Failure problem={problem} />
        <label class="field">
          <span>{t.opponent}</span>
          <select name="opponent" value={opponent} onChange={(e) => setOpponent(e.currentTarget.value as 'engine')}>
            {(['engine', 'person', 'self'] as const).map((kind) => <option key={kind} value={kind}>{t.opponents[kind]}</option>)}
          </select>
        </label>
        {opponent === 'engine' && (
          <Choice name="level" label={t.level}
            options={(['plies-2', 'plies-4', 'plies-6', 'full'] as const).map((level): [string, string] => [level, t[level]])} />
        )}
        {opponent !== 'self' && (
          <Choice key={side} name="side" label={t.side} value={side} options={[['white', t.white], ['black', t.black]]} />
        )}
        <button class="main" disabled={busy}>{p.playOn}</button>
      </form>
    </section>
  );
}

/** What stands around a record: where it is from, and what else may be done with it. */
interface Around {
  back: { path: string; text: string };
  /** Searches for a position where the record is from. */
  onPosition: (position: string) => void;
  /** Deletes it, where that is the reader's to do. */
  onDelete?: () => Promise<void>;
}

export function Record({ full, back, onPosition, onDelete }: Around & { full: FullRecord }) {
  const { record, rules } = full;
  const game = useMemo(() => asGame(full), [full]);
  const plies = full.plies ?? [];
  const [ply, setPly] = useState(0);
  const [flipped, setFlipped] = useState(false);
  const { problem, busy, act } = useAct();
  const position = ply === 0 ? full.start : plies[ply - 1]?.position ?? '';
  const ruling = useRuling(rules, position);
  const last = ply > 0 ? game.plies?.[ply - 1]?.move : undefined;
  const within = (to: number) => Math.max(0, Math.min(plies.length, to));
  const step = (to: number) => setPly(within(to));
  // Keys count wherever the focus is: a button that goes dim at the end loses it.
  useEffect(() => {
    const keys = (e: KeyboardEvent) => {
      // On the board the arrows move between squares, in fields they move the cursor.
      if (e.altKey || e.ctrlKey || e.metaKey || (e.target as Element).closest?.('.board, input, select, textarea, pre, dialog')) return;
      // By steps from where it is by then: keys come faster than pages are drawn.
      const by = { ArrowLeft: -1, ArrowRight: 1, Home: -plies.length, End: plies.length }[e.key];
      if (by === undefined) return;
      e.preventDefault();
      setPly((was) => within(was + by));
    };
    addEventListener('keydown', keys);
    return () => removeEventListener('keydown', keys);
  }, [plies.length]);
  const facts: [string, string | undefined][] = [
    [p.result, record.result], [p.event, record.event], [p.date, record.date && isoDay(record.date)],
    [p.opening, [record.eco, record.opening].filter(Boolean).join(' ')],
    ...(full.tags ?? []).filter((tag) => !known.has(tag.name) && tag.value !== '?')
      .map((tag): [string, string | undefined] => [p.tags[tag.name] ?? tag.name, tag.value]),
  ];
  const name = `${record.white || '?'}-${record.black || '?'}`.replace(/[^\p{L}\p{N} _-]/gu, '');
  return (
    <>
      <p><a href={back.path}>{back.text}</a></p>
      <h1>{playersOf(record)}</h1>
      <div class="record-page playing">
        <div>
          <div class="table">
            <Board rules={rules} pieces={ruling?.pieces ?? none} moves={[]} flipped={flipped} checkSquares={ruling?.check ?? []}
              lastSquares={last ? last.path : []} onChosen={() => undefined} onRefused={() => undefined} />
          </div>
          <p role="status" class="muted" data-testid="place">{p.afterPly(ply, plies.length)}</p>
          <div class="actions">
            <button onClick={() => setFlipped(!flipped)}>{t.flip}</button>
            <button onClick={() => onPosition(position)}>{p.samePosition}</button>
          </div>
        </div>
        <div class="stack">
          <MoveList game={game} played={false} past={{ ply, shown: ply, pieces: ruling?.pieces, check: ruling?.check ?? [], go: step }} />
          <PlayOn full={full} ply={ply} position={position} side={ruling?.side ?? 'white'} />
          <section class="card">
            <h2>{p.about}</h2>
            <Failure problem={problem} />
            <dl>{facts.filter(([, value]) => value).map(([label, value]) => <div key={label}><dt>{label}</dt><dd>{value}</dd></div>)}</dl>
            <details>
              <summary>{p.recordText}</summary>
              <pre tabIndex={0}>{full.text}</pre>
            </details>
            <div class="actions">
              <button onClick={() => keep(new Blob([full.text], { type: 'text/plain' }), `${name}.${rules === 'chess' ? 'pgn' : 'pdn'}`)}>{p.exportOne}</button>
              {onDelete && <Ask button={p.deleteRecord} title={p.deleteRecordAsk} danger disabled={busy} act={() => act(onDelete)} />}
            </div>
          </section>
        </div>
      </div>
    </>
  );
}

/** Tags that the page says in its own words. */
const known = new Set(['White', 'Black', 'Result', 'Event', 'Date', 'ECO', 'Opening', 'SetUp', 'FEN', 'GameType']);

export function RecordPage({ collection, number }: { collection: string; number: number }) {
  const { account } = useSession();
  const { value, problem } = useRead(`${collection} ${number}`, async () => ({
    full: await collections.record(collection, number), own: (await collections.get(collection)).own,
  }));
  if (!account) return <Failure problem={new Problem('not_logged_in', 401)} />;
  if (problem) return <Failure problem={problem} />;
  if (!value) return <p role="status">{p.loading}</p>;
  const path = `/collections/${collection}`;
  const remove = async () => {
    await collections.removeRecord(collection, number);
    go(path);
  };
  return (
    <Record full={value.full} back={{ path, text: p.backToCollection }} {...(value.own ? { onDelete: remove } : {})}
      onPosition={(position) => { keepSearch(collection, { position }); go(path); }} />
  );
}
