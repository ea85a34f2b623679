// The first page: tic-tac-toe at once, a new game, open seats, games going on.

import { useCallback, useEffect, useState } from 'preact/hooks';
import { api, Problem, type NewGame } from '../api';
import { watch } from '../live';
import { go } from '../router';
import { useSession } from '../session';
import { t } from '../texts';
import type { Game, Rules } from '../types';
import { Failure } from './Failure';

const clocks: [string, number, number][] = [
  ['1+0', 1, 0],
  ['5+3', 5, 3],
  ['10+0', 10, 0],
  ['30+0', 30, 0],
];

const names = (game: Game) =>
  game.seats.map((s) => (s.kind === 'engine' ? t.engine : s.kind === 'open' ? '…' : s.account ? (s.name ?? '') : t.visitor)) as [string, string];

function useStart() {
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const begin = async (game: () => Promise<Game>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      go(`/games/${(await game()).id}`);
    } catch (e) {
      setProblem(e instanceof Problem ? e : new Problem('internal', 500));
    } finally {
      setBusy(false);
    }
  };
  return { problem, busy, begin };
}

function QuickGame() {
  const { problem, busy, begin } = useStart();
  return (
    <section class="card quick">
      <h2>{t.tryNow}</h2>
      <p>{t.tryNowText}</p>
      <Failure problem={problem} />
      <button class="main" disabled={busy} data-testid="quick"
        onClick={() => begin(() => api.create({ rules: 'tictactoe', opponent: 'engine', level: 'full', side: 'first' }))}>
        {t.playNow}
      </button>
    </section>
  );
}

function NewGameForm() {
  const { account } = useSession();
  const { problem, busy, begin } = useStart();
  const [rules, setRules] = useState<Rules>(account ? 'chess' : 'tictactoe');
  const [opponent, setOpponent] = useState<'engine' | 'person'>('engine');
  const submit = (e: Event) => {
    e.preventDefault();
    const data = new FormData(e.currentTarget as HTMLFormElement);
    const clock = clocks.find(([name]) => name === data.get('clock'));
    const game: NewGame = {
      rules,
      opponent,
      side: String(data.get('side') ?? ''),
      rated: data.get('rated') === 'on',
      visibility: data.get('public') === 'on' ? 'public' : 'private',
      ...(opponent === 'engine' ? { level: String(data.get('level') ?? '') } : {}),
      ...(clock ? { clock: { initial_ms: clock[1] * 60_000, increment_ms: clock[2] * 1000 } } : {}),
    };
    void begin(() => api.create(game));
  };
  return (
    <form class="card form" onSubmit={submit}>
      <h2>{t.newGame}</h2>
      {!account && <p>{t.loginToPlay}</p>}
      <Failure problem={problem} />
      <label class="field">
        <span>{t.game}</span>
        <select name="rules" value={rules} onChange={(e) => setRules(e.currentTarget.value as Rules)}>
          <option value="chess" disabled={!account}>{t.chess}</option>
          <option value="draughts" disabled={!account}>{t.draughts}</option>
          <option value="tictactoe">{t.tictactoe}</option>
        </select>
      </label>
      <label class="field">
        <span>{t.opponent}</span>
        <select name="opponent" value={opponent} onChange={(e) => setOpponent(e.currentTarget.value as 'engine' | 'person')}>
          <option value="engine">{t.engine}</option>
          <option value="person">{t.person}</option>
        </select>
      </label>
      {opponent === 'engine' && rules !== 'tictactoe' && (
        <label class="field">
          <span>{t.level}</span>
          <select name="level">
            <option value="plies-2">{t['plies-2']}</option>
            <option value="plies-4">{t['plies-4']}</option>
            <option value="plies-6">{t['plies-6']}</option>
            <option value="full">{t.full}</option>
          </select>
        </label>
      )}
      <label class="field">
        <span>{t.side}</span>
        <select name="side">
          <option value="random">{t.lot}</option>
          <option value="first">{rules === 'tictactoe' ? t.x : t.white}</option>
          <option value="second">{rules === 'tictactoe' ? t.o : t.black}</option>
        </select>
      </label>
      <label class="field">
        <span>{t.clock}</span>
        <select name="clock">
          <option value="">{t.noClock}</option>
          {clocks.map(([name, initial, increment]) => (
            <option key={name} value={name}>{t.minutes(initial, increment)}</option>
          ))}
        </select>
      </label>
      {account && <label class="check"><input type="checkbox" name="rated" defaultChecked /> {t.rated}</label>}
      {account && <label class="check"><input type="checkbox" name="public" /> {t.watchable}</label>}
      <button class="main" disabled={busy}>{t.begin}</button>
    </form>
  );
}

function GameList({ title, empty, games, action, onOpen }: {
  title: string;
  empty: string;
  games: Game[];
  action: string;
  onOpen: (game: Game) => void;
}) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {games.length === 0 ? <p>{empty}</p> : (
        <ul class="games">
          {games.map((game) => (
            <li key={game.id}>
              <span>{t[game.rules]} · {t.against(...names(game))}</span>
              <button onClick={() => onOpen(game)}>{action}</button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function Home() {
  const { account } = useSession();
  const [mine, setMine] = useState<Game[]>([]);
  const [open, setOpen] = useState<Game[]>([]);
  const load = useCallback(async () => {
    try {
      const [running, seats] = await Promise.all([api.games('mine', 'running'), api.games('open')]);
      setMine(running);
      setOpen(seats);
    } catch {
      // The lists stay as they were; the next notice reads them again.
    }
  }, []);
  useEffect(() => {
    if (!account) return;
    void load();
    const timer = setInterval(load, 15_000);
    const close = watch(['me'], { me: load }, () => Promise.resolve(undefined));
    return () => {
      clearInterval(timer);
      close();
    };
  }, [account, load]);
  return (
    <>
      <div class="hero">
        <h1>{t.title}</h1>
        <p>{t.tagline}</p>
      </div>
      <div class="columns">
        <QuickGame />
        <NewGameForm />
        {account && (
          <div class="stack">
            <GameList title={t.myGames} empty={t.noGames} games={mine} action={t.goOn} onOpen={(g) => go(`/games/${g.id}`)} />
            <GameList title={t.openSeats} empty={t.noOpenSeats} games={open} action={t.join} onOpen={(g) => go(`/games/${g.id}`)} />
          </div>
        )}
      </div>
    </>
  );
}
