// The buttons of a player. Whoever only watches has none of them.

import { useState } from 'preact/hooks';
import { api } from '../../api';
import { t } from '../../texts';
import type { Game } from '../../types';
import { Confirm, type Question } from '../Dialog';
import { NewGameDialog } from './NewGameDialog';
import { betweenPeople, hasEngine } from './seats';
import type { Play } from './useGame';

/** Whether the one who asks has a move of the game to take back. */
function mayTakeBack(game: Game): boolean {
  if (!game.options?.takebacks || game.takeback_offer) return false;
  const own = (game.plies ?? []).slice(game.loaded_plies ?? 0);
  return game.opponent === 'self' ? own.length > 0 : own.some((p) => p.side === game.your_side);
}

export function Actions({ game, play, maker }: {
  game: Game;
  play: Play;
  /** The engine plays itself for whoever is at the page. */
  maker: boolean;
}) {
  const [question, setQuestion] = useState<Question>();
  const [leaving, setLeaving] = useState(false);
  const { id, your_side: own } = game;
  const turn = game.turn ?? 0;
  if (game.status !== 'running') return null;
  const self = game.opponent === 'self';
  // The engine takes a draw where people of its level do; at tic-tac-toe it needs none.
  const mayOffer = !hasEngine(game) || game.rules !== 'tictactoe';
  const draw = () => play.act(() => api.offerDraw(id, turn));
  const abort = () => play.act(() => api.abort(id));
  const resign = () => play.act(() => api.resign(id));
  return (
    <div class="actions">
      {own && mayTakeBack(game) && (
        <button disabled={play.busy} onClick={() => play.act(() => api.offerTakeback(id, turn))}>{t.takeback}</button>
      )}
      {own && !game.draw_offer && mayOffer && (
        <button disabled={play.busy}
          onClick={() => (self ? setQuestion({ title: t.drawConfirm, yes: t.drawOfferSelf, act: draw }) : draw())}>
          {self ? t.drawOfferSelf : t.offerDraw}
        </button>
      )}
      {own && game.clock?.running && betweenPeople(game) && (
        <button disabled={play.busy} onClick={() => play.act(() => api.giveTime(id))}>{t.giveTime}</button>
      )}
      {own && !game.clock && !game.pause_offer && !game.tournament && (
        <button disabled={play.busy} onClick={() => play.act(() => api.suspend(id))}>{t.suspend}</button>
      )}
      {game.may_abort && (own || maker) && (
        <button disabled={play.busy}
          onClick={() => setQuestion({ title: t.abortConfirm, text: own && !self ? t.abortWhy : '', yes: t.abort, act: abort })}>
          {t.abort}
        </button>
      )}
      {own && (
        <button disabled={play.busy}
          onClick={() => setQuestion({ title: t.resignConfirm, text: self ? t.theyWin(t[game.side]) : t.resignWhy, yes: t.resign, act: resign })}>
          {t.resign}
        </button>
      )}
      {own && <button onClick={() => setLeaving(true)}>{t.newGameNow}</button>}
      {question && <Confirm question={question} onClose={() => setQuestion(undefined)} />}
      {leaving && <NewGameDialog game={game} onClose={() => setLeaving(false)} />}
    </div>
  );
}
