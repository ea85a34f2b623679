// A game being played or watched: board, names, clocks, moves, offers, result.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  compulsion, compulsionSentence, hangingSentences, hangingSquares, helpAllowed, perfectSentence, waySentences, whyStuck,
  type Insight,
} from '../advice';
import { api, Problem } from '../api';
import { Board } from '../board/Board';
import { PieceDrawing } from '../board/pieces';
import { newer, watch } from '../live';
import { go } from '../router';
import { useSession } from '../session';
import { notation, say, t } from '../texts';
import type { Game, Move, Seat } from '../types';
import { Failure } from './Failure';
import { useRemaining } from './clock';

const seatName = (rules: string, seat: Seat) => {
  if (seat.kind === 'open') return '…';
  // In tic-tac-toe every level plays perfectly, so none is named.
  if (seat.kind === 'engine') return rules === 'tictactoe' ? t.engine : `${t.engine}: ${t[seat.level as 'full'] ?? seat.level}`;
  return seat.account ? (seat.name ?? '') : t.visitor;
};

function SeatLine({ game, index, now }: { game: Game; index: number; now: string | undefined }) {
  const seat = game.seats[index];
  if (!seat) return null;
  const turn = game.status === 'running' && game.side === seat.side;
  return (
    <div class={`seat ${turn ? 'turn' : ''}`}>
      <div>
        <strong>{seatName(game.rules, seat)}</strong> <span class="muted">{t[seat.side]}</span>
        <div class="muted rating">
          {seat.rating ? `${t.ratingWord} ${seat.rating}${seat.provisional ? '?' : ''}` : ' '}
          {seat.rating_after !== undefined && seat.rating ? ` → ${seat.rating_after}` : ''}
        </div>
      </div>
      {now && <span class="clock" role="timer">{now}</span>}
    </div>
  );
}

function MovesList({ game }: { game: Game }) {
  const end = useRef<HTMLLIElement>(null);
  const plies = game.plies ?? [];
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [plies.length]);
  const rows: [string, string][] = [];
  for (let i = 0; i < plies.length; i += 2) {
    rows.push([plies[i]?.move.notation ?? '', plies[i + 1]?.move.notation ?? '']);
  }
  return (
    <section class="card moves">
      <h2>{t.moves}</h2>
      {rows.length === 0 ? <p class="muted">{t.noMoves}</p> : (
        <ol>
          {rows.map(([a, b], i) => (
            <li key={i} ref={i === rows.length - 1 ? end : null}>
              <span>{notation(game.rules, a)}</span>
              <span>{notation(game.rules, b)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function resultText(game: Game): string {
  if (!game.outcome) return '';
  const { winner, reason } = game.outcome;
  const words = !winner ? t.drawn
    : !game.your_side ? t.sideWon(t[winner])
    : winner === game.your_side ? t.youWon : t.youLost;
  return `${words} (${say(reason)})`;
}

function statusText(game: Game): string {
  if (game.status === 'open') return t.waiting;
  if (game.status === 'cancelled') return t.cancelled;
  if (game.outcome) return resultText(game);
  const mine = game.side === game.your_side;
  const mover = game.seats.find((s) => s.side === game.side);
  const turn = mine ? t.yourTurn : mover?.kind === 'engine' ? t.thinking : t.theirTurn(t[game.side]);
  return game.check?.length ? `${t.check} ${turn}` : turn;
}

export function GamePage({ id }: { id: string }) {
  const { account, refresh } = useSession();
  const [game, setGame] = useState<Game>();
  const [problem, setProblem] = useState<Problem>();
  const [connected, setConnected] = useState(true);
  const [promotions, setPromotions] = useState<Move[]>([]);
  const [turned, setTurned] = useState(false);
  const [busy, setBusy] = useState(false);
  /** Numbers what was asked, so that a late answer does not speak of another click. */
  const asked = useRef(0);

  const show = (next: Game) => setGame((held) => newer(held, next));
  const failed = (e: unknown) => setProblem(e instanceof Problem ? e : new Problem('internal', 500));

  useEffect(() => {
    setGame(undefined);
    setProblem(undefined);
    api.game(id).then(show, failed);
    return watch([`game:${id}`], {
      game: (next) => {
        show(next);
        setProblem((p) => (p?.code === 'offline' || p?.code === 'unavailable' ? undefined : p));
      },
      gone: () => setProblem(new Problem('game_not_found', 404)),
      connected: setConnected,
    }, () => api.game(id));
  }, [id, account?.id]);

  const finished = game?.status === 'finished';
  const rated = game?.seats.some((s) => s.rating_after !== undefined) ?? false;
  useEffect(() => {
    if (finished && rated) void refresh().catch(() => undefined);
  }, [finished, rated]);

  const remaining = useRemaining(game?.clock);
  const mine = game?.status === 'running' && game.side === game.your_side;
  const inCheck = !!mine && (game?.check ?? []).length > 0;
  const [wantsHelp, setWantsHelp] = useState(false);
  const mayHelp = !!game && helpAllowed(game);
  const helped = mayHelp && wantsHelp;
  const [insight, setInsight] = useState<Insight>();
  useEffect(() => {
    setInsight(undefined);
    if (!(inCheck || helped) || !game) return undefined;
    let stale = false;
    // Advice is an extra: without it the page still names who gives check.
    api.explain(game).then((found) => !stale && setInsight(found), () => undefined);
    return () => { stale = true; };
  }, [inCheck, helped, game?.position?.text]);
  const must = mine && game ? compulsion(game.rules, game.moves ?? []) : undefined;
  const moves = useMemo(() => (mine && !busy ? (game?.moves ?? []) : []), [mine, busy, game]);

  if (!game) return <>{problem ? <Failure problem={problem} /> : <p role="status">…</p>}</>;

  const act = async (call: () => Promise<Game>) => {
    asked.current++;
    setBusy(true);
    setProblem(undefined);
    setPromotions([]);
    try {
      show(await call());
    } catch (e) {
      failed(e);
      if (e instanceof Problem && e.code === 'stale_turn') api.game(id).then(show, failed);
    } finally {
      setBusy(false);
    }
  };
  const turn = game.turn ?? 0;
  const chosen = (found: Move[]) => {
    const first = found[0];
    if (!first) return;
    if (found.length > 1) setPromotions(found);
    else void act(() => api.move(id, first.text, turn));
  };
  const refused = (from: string | undefined, to: string) => {
    if (game.status !== 'running' || busy) return;
    if (!mine) {
      if (game.your_side) setProblem(new Problem('not_your_turn', 409));
      return;
    }
    const placing = game.rules === 'tictactoe';
    if (!from && !placing) {
      const piece = game.pieces?.find((p) => p.square === to);
      if (!piece) return setProblem(undefined);
      if (piece.side !== game.side) return setProblem(new Problem('not_your_piece', 422, '', [], [to]));
      if (must) return setProblem(new Problem('capture_compulsory', 422, '', [], must.squares));
      if (inCheck) return setProblem(new Problem('king_left_in_check', 422, '', [], game.check));
      const question = ++asked.current;
      api.explain(game).then((found) => {
        const { code, squares } = whyStuck(to, found);
        if (question === asked.current) setProblem(new Problem(code, 422, '', [], squares));
      }, failed);
      return;
    }
    // The server knows why; a refused move changes nothing.
    const text = placing ? to : game.rules === 'chess' ? `${from}${to}` : `${from}-${to}`;
    void act(() => api.move(id, text, turn));
  };

  const flip = (game.your_side === 'black') !== turned;
  const top = flip ? 0 : 1;
  const bottom = flip ? 1 : 0;
  const lastSquares = game.last ? [game.last.move.from, ...game.last.move.path].filter((s): s is string => !!s) : [];
  const taken = (game.plies ?? []).flatMap((p) => p.move.captures ?? []).length;
  const open = game.status === 'open';
  const again = () =>
    act(async () => {
      const engine = game.seats.find((s) => s.kind === 'engine');
      const next = await api.create({
        rules: game.rules,
        opponent: engine ? 'engine' : 'person',
        ...(engine?.level ? { level: engine.level } : {}),
        side: game.your_side === 'black' || game.your_side === 'o' ? 'first' : 'second',
        rated: game.rated ?? false,
        visibility: game.visibility ?? '',
        ...(game.clock ? { clock: { initial_ms: game.clock.initial_ms, increment_ms: game.clock.increment_ms ?? 0 } } : {}),
      });
      go(`/games/${next.id}`);
      return game;
    });

  return (
    <div class="playing">
      <div class="table">
        <SeatLine game={game} index={top} now={remaining[top]} />
        <Board
          rules={game.rules}
          pieces={game.pieces ?? []}
          moves={moves}
          flipped={flip}
          lastSquares={lastSquares}
          checkSquares={game.check ?? []}
          lineSquares={game.line ?? []}
          mustSquares={must?.squares ?? []}
          hangingSquares={helped ? hangingSquares(insight) : []}
          pointSquares={problem?.squares ?? []}
          onChosen={chosen}
          onRefused={refused}
        />
        <SeatLine game={game} index={bottom} now={remaining[bottom]} />
      </div>
      <div class="side">
        <section class="card">
          <h1>{t[game.rules]}</h1>
          {!connected && <p class="notice" role="status">{t.offline}</p>}
          <p class={`status ${finished ? 'result' : ''}`} role="status" data-testid="status">{statusText(game)}</p>
          {game.outcome && <p class="score">{(game.result ?? '').replace('1/2-1/2', '½–½').replace('-', '–')}</p>}
          {game.check?.length && mine ? <p class="muted">{t.checkFrom(game.check.join(', '))}</p> : null}
          {inCheck && waySentences(game.rules, insight).map((way) => <p class="muted" data-testid="way" key={way}>{way}</p>)}
          {must && <p class="muted" data-testid="must">{compulsionSentence(must)}</p>}
          {mayHelp && (
            <label class="help">
              <input type="checkbox" checked={wantsHelp} onChange={(e) => setWantsHelp(e.currentTarget.checked)} />
              {game.rules === 'tictactoe' ? t.showPerfect : t.showHanging}
            </label>
          )}
          {helped && insight && (
            <div data-testid="help" role="status">
              {(game.rules === 'tictactoe' ? [perfectSentence(insight, game.side)] : hangingSentences(insight, game.your_side))
                .map((sentence) => <p class="muted" key={sentence}>{sentence}</p>)}
            </div>
          )}
          {game.last && (
            <p class="sr" aria-live="polite">{t.movePlayed(t[game.last.side], notation(game.rules, game.last.move.notation))}</p>
          )}
          {!game.your_side && !open && <p class="muted">{t.watching}</p>}
          <Failure problem={problem} />
          {promotions.length > 0 && (
            <div class="promotions" role="group" aria-label={t.promoteTo}>
              <span>{t.promoteTo}</span>
              {promotions.map((m) => {
                const kind = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight' }[m.promotion ?? ''] ?? 'queen';
                return (
                  <button key={m.text} aria-label={t[kind as 'queen']} onClick={() => act(() => api.move(id, m.text, turn))}>
                    <PieceDrawing rules="chess" side={game.side} kind={kind} />
                  </button>
                );
              })}
              <button onClick={() => setPromotions([])}>{t.cancel}</button>
            </div>
          )}
          <div class="actions">
            {open && !game.your_side && <button class="main" onClick={() => act(() => api.accept(id))}>{t.takeSeat}</button>}
            {open && game.your_side && <button onClick={() => act(() => api.cancel(id))}>{t.cancelGame}</button>}
            {game.status === 'running' && game.your_side && (
              <>
                {game.draw_offer && game.draw_offer !== game.your_side && (
                  <div class="offer">
                    <p>{t.drawOfferedToYou}</p>
                    <button class="main" onClick={() => act(() => api.answerDraw(id, turn, true))}>{t.accept}</button>
                    <button onClick={() => act(() => api.answerDraw(id, turn, false))}>{t.decline}</button>
                  </div>
                )}
                {game.draw_offer === game.your_side && <p class="muted">{t.drawOffered}</p>}
                {mine && (game.claims ?? []).length > 0 && (
                  <button onClick={() => act(() => api.claimDraw(id, turn))}>
                    {t.claimDraw}: {(game.claims ?? []).map(say).join(', ')}
                  </button>
                )}
                {!game.draw_offer && game.seats.every((s) => s.kind === 'person') && (
                  <button onClick={() => act(() => api.offerDraw(id, turn))}>{t.offerDraw}</button>
                )}
                <button onClick={() => confirm(t.resignConfirm) && act(() => api.resign(id))}>{t.resign}</button>
              </>
            )}
            {finished && game.your_side && <button class="main" disabled={busy} onClick={again}>{t.again}</button>}
            <button onClick={() => setTurned(!turned)}>{t.flip}</button>
          </div>
          {taken > 0 && <p class="muted">{t.captured}: {taken}</p>}
        </section>
        <MovesList game={game} />
      </div>
    </div>
  );
}
