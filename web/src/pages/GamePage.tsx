// A game being played or watched: board, players, clocks, moves, offers, result.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { whyStuck } from '../advice';
import { api, Problem } from '../api';
import { Board } from '../board/Board';
import { useSession } from '../session';
import { notation, t } from '../texts';
import type { Game, Move } from '../types';
import { Failure } from './Failure';
import { Actions } from './game/Actions';
import { Adjudicate } from './game/Adjudicate';
import { Advice, useAdvice } from './game/Advice';
import { Away } from './game/Away';
import { Connection } from './game/Connection';
import { MoveList } from './game/MoveList';
import { MatchScore, Offers, RematchOffers, ResumeOffers } from './game/Offers';
import { Promotion } from './game/Promotion';
import { SeatLine } from './game/SeatLine';
import { statusText } from './game/status';
import { asProblem, useGame } from './game/useGame';
import { useMaker } from './game/useMaker';
import { usePast } from './game/usePast';
import { useSound } from './game/useSound';
import { Waiting } from './game/Waiting';

/** How the board is turned: by hand, or after each move for two at one screen. */
function useTurning(game: Game | undefined) {
  const [turned, setTurned] = useState(false);
  const [following, setFollowing] = useState(false);
  const self = game?.opponent === 'self';
  const viewer = self ? (following ? game?.side : game?.seats[0]?.side) : game?.your_side;
  const flipped = (viewer === 'black') !== turned;
  return { flipped, self, following, setFollowing, turn: () => setTurned(!turned) };
}

export function GamePage({ id }: { id: string }) {
  const { account } = useSession();
  const play = useGame(id);
  const { game, problem, setProblem, busy, asked } = play;
  const [promotions, setPromotions] = useState<Move[]>([]);
  const [pending, setPending] = useState<Move>();
  const turning = useTurning(game);
  const past = usePast(game, (e) => setProblem(asProblem(e)));
  const confirming = useRef<HTMLButtonElement>(null);

  const looking = past.ply !== undefined;
  const maker = useMaker(game);
  const sound = useSound(game);
  const advice = useAdvice(game);
  const { mine, inCheck, must } = advice;
  useEffect(() => {
    setPending(undefined);
    setPromotions([]);
  }, [id, game?.turn, game?.status]);
  useEffect(() => confirming.current?.focus(), [pending]);
  const moves = useMemo(() => (mine && !busy && !looking ? (game?.moves ?? []) : []), [mine, busy, looking, game]);
  const status = game ? statusText(game, account?.id) : '';
  useEffect(() => {
    document.title = game ? `${status} · ${t[game.rules]} · ${t.title}` : t.title;
    return () => { document.title = t.title; };
  }, [status, game?.rules]);

  if (!game) return <>{problem ? <Failure problem={problem} /> : <p role="status">…</p>}</>;

  const turn = game.turn ?? 0;
  const send = (move: string) => {
    setPending(undefined);
    setPromotions([]);
    void play.act(() => api.move(id, move, turn));
  };
  const choose = (move: Move) => {
    setPromotions([]);
    if (game.options?.confirm_move) setPending(move);
    else send(move.text);
  };
  const chosen = (found: Move[]) => {
    setProblem(undefined);
    if (found.length > 1) setPromotions(found);
    else if (found[0]) choose(found[0]);
  };
  const touch = (square: string) => {
    if (game.options?.touch_move && !game.touched) void play.act(() => api.touch(id, square, turn));
    else setProblem(undefined);
  };
  const refused = (from: string | undefined, to: string) => {
    if (looking) return past.go(Infinity);
    if (game.status !== 'running' || busy || pending) return;
    if (!mine) {
      if (game.your_side) setProblem(new Problem('not_your_turn', 409));
      return;
    }
    const placing = game.rules === 'tictactoe';
    const piece = game.pieces?.find((p) => p.square === to);
    if (game.touched && piece?.side === game.side) {
      return setProblem(new Problem('touched_piece', 409, '', [], [game.touched]));
    }
    if (!from && !placing) {
      if (!piece) return setProblem(undefined);
      if (piece.side !== game.side) return setProblem(new Problem('not_your_piece', 422, '', [], [to]));
      if (must) return setProblem(new Problem('capture_compulsory', 422, '', [], must.squares));
      if (inCheck) return setProblem(new Problem('king_left_in_check', 422, '', [], game.check));
      const question = ++asked.current;
      api.explain(game).then((found) => {
        const { code, squares } = whyStuck(to, found);
        if (question === asked.current) setProblem(new Problem(code, 422, '', [], squares));
      }, (e) => setProblem(asProblem(e)));
      return;
    }
    // The server knows why; a refused move changes nothing.
    send(placing ? to : game.rules === 'chess' ? `${from}${to}` : `${from}-${to}`);
  };

  const top = turning.flipped ? 0 : 1;
  const over = game.status === 'finished';
  const last = past.shown !== undefined ? game.plies?.[past.shown - 1] : game.last;
  const lastSquares = last ? [last.move.from, ...last.move.path].filter((s): s is string => !!s) : [];
  const chosenText = pending ? notation(game.rules, pending.notation) : '';

  return (
    <div class="playing">
      <div class={`table ${game.options?.confirm_move ? 'confirms' : ''}`}>
        <SeatLine game={game} index={top} present={play.present} />
        <Board
          rules={game.rules}
          pieces={past.pieces ?? game.pieces ?? []}
          moves={moves}
          side={game.side}
          flipped={turning.flipped}
          lastSquares={lastSquares}
          checkSquares={(past.pieces ? past.check : game.check) ?? []}
          lineSquares={looking ? [] : (game.line ?? [])}
          mustSquares={looking ? [] : (must?.squares ?? [])}
          hangingSquares={looking ? [] : advice.hanging}
          pointSquares={problem?.squares ?? []}
          touched={game.touched}
          pending={pending}
          onPicked={touch}
          onChosen={chosen}
          onRefused={refused}
        />
        <SeatLine game={game} index={1 - top} present={play.present} />
        {pending && (
          <div class="confirm-move" role="group" aria-label={t.moveChosen(chosenText)}>
            <button class="main" ref={confirming} disabled={busy} onClick={() => send(pending.text)}>{t.endTurn(chosenText)}</button>
            <button disabled={busy} onClick={() => setPending(undefined)}>{t.changeMove}</button>
          </div>
        )}
      </div>
      <div class="side">
        <section class="card">
          <h1>{t[game.rules]}</h1>
          {game.tournament && <p><a href={`/tournaments/${game.tournament}`}>{t.tournaments.ofGame}</a></p>}
          <Connection connected={play.connected} />
          <p class={`status ${over ? 'result' : ''}`} role="status" data-testid="status">{status}</p>
          {game.outcome && <p class="score">{(game.result ?? '').replace('1/2-1/2', '½–½').replace('-', '–')}</p>}
          {game.closed?.reason && <p class="muted">{t.declineReasons[game.closed.reason]}</p>}
          {game.ruled && <p class="notice">{t.ruled(game.ruled.note)}</p>}
          <MatchScore game={game} />
          <Advice game={game} advice={advice} />
          <p class="sr" aria-live="polite" data-testid="announce">
            {game.last ? t.movePlayed(t[game.last.side], notation(game.rules, game.last.move.notation)) : ''}
          </p>
          {!game.your_side && game.status !== 'open' && <p class="muted">{t.spectator}</p>}
          <Failure problem={problem} />
          {looking && (
            <div class="offer">
              <p role="status">{past.ply ? t.pastView(past.ply) : t.pastStart}</p>
              <button class="main" onClick={() => past.go(Infinity)}>{t.backToGame}</button>
            </div>
          )}
          <Waiting game={game} play={play} />
          <Away game={game} play={play} />
          <div class="offers">
            <Offers game={game} play={play} />
            <ResumeOffers game={game} play={play} />
            <RematchOffers game={game} play={play} maker={maker} />
          </div>
          <Actions game={game} play={play} maker={maker} />
          <Adjudicate game={game} />
          <div class="actions">
            <button onClick={turning.turn}>{t.flip}</button>
            <label class="check">
              <input type="checkbox" checked={sound.on} onChange={(e) => sound.turn(e.currentTarget.checked)} /> {t.sound}
            </label>
            {turning.self && game.rules !== 'tictactoe' && (
              <label class="check">
                <input type="checkbox" checked={turning.following} onChange={(e) => turning.setFollowing(e.currentTarget.checked)} /> {t.autoFlip}
              </label>
            )}
          </div>
        </section>
        <MoveList game={game} past={past} />
      </div>
      {promotions.length > 0 && (
        <Promotion moves={promotions} side={game.side} onChoose={choose} onClose={() => setPromotions([])} />
      )}
    </div>
  );
}
