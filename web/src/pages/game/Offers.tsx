// What one player offers and the other answers: a draw, taking a move back, a
// draw by the rules, another game.

import { api } from '../../api';
import { go } from '../../router';
import { say, t } from '../../texts';
import type { Game } from '../../types';
import { sameSettings } from './NewGameDialog';
import { betweenPeople, hasEngine } from './seats';
import type { Play } from './useGame';

function Asked({ text, yes, onAnswer, busy, only = false }: {
  text: string;
  yes: string;
  onAnswer: (accept: boolean) => void;
  busy: boolean;
  /** There is nothing to decline: playing on says no. */
  only?: boolean;
}) {
  return (
    <div class="offer" role="group" aria-label={text}>
      <p>{text}</p>
      <button class="main" disabled={busy} onClick={() => onAnswer(true)}>{yes}</button>
      {!only && <button disabled={busy} onClick={() => onAnswer(false)}>{t.decline}</button>}
    </div>
  );
}

/** The offers that stand in a game that is being played. */
export function Offers({ game, play }: { game: Game; play: Play }) {
  const { id, your_side: own } = game;
  const turn = game.turn ?? 0;
  if (game.status !== 'running' || !own) return null;
  const claims = game.side === own ? (game.claims ?? []) : [];
  return (
    <>
      {game.draw_offer && game.draw_offer !== own && (
        <Asked text={t.drawOfferedToYou} yes={t.accept} busy={play.busy}
          onAnswer={(accept) => play.act(() => api.answerDraw(id, turn, accept))} />
      )}
      {game.draw_offer === own && <p class="muted">{hasEngine(game) ? t.drawOfferedEngine : t.drawOffered}</p>}
      {game.takeback_offer && game.takeback_offer !== own && (
        <Asked text={t.takebackAskedOfYou} yes={t.allow} busy={play.busy}
          onAnswer={(accept) => play.act(() => api.answerTakeback(id, turn, accept))} />
      )}
      {game.takeback_offer === own && <p class="muted">{t.takebackAsked}</p>}
      {game.pause_offer && game.pause_offer !== own && (
        <Asked text={t.suspendAskedOfYou} yes={t.suspend} busy={play.busy} only onAnswer={() => play.act(() => api.suspend(id))} />
      )}
      {game.pause_offer === own && <p class="muted">{t.suspendAsked}</p>}
      {claims.length > 0 && (
        <button class="main" disabled={play.busy} onClick={() => play.act(() => api.claimDraw(id, turn))}>
          {t.claimDraw}: {claims.map(say).join(', ')}
        </button>
      )}
    </>
  );
}

/** Going on with a game that was saved. */
export function ResumeOffers({ game, play }: { game: Game; play: Play }) {
  const { your_side: own } = game;
  if (game.status !== 'suspended' || !own) return null;
  if (game.pause_offer === own) return <p class="muted">{t.resumeAsked}</p>;
  const resume = () => play.act(() => api.resume(game.id));
  if (game.pause_offer) return <Asked text={t.resumeAskedOfYou} yes={t.resume} busy={play.busy} only onAnswer={resume} />;
  return <button class="main" disabled={play.busy} onClick={resume}>{t.resume}</button>;
}

/** Another game of the same players, and how their match stands. */
export function RematchOffers({ game, play, maker }: { game: Game; play: Play; maker: boolean }) {
  const { id, your_side: own } = game;
  if (game.next_game) return <a class="button main" href={`/games/${game.next_game}`}>{t.nextGame}</a>;
  if (!own && !maker) return null;
  if (game.closed?.why === 'aborted') {
    // Nothing was played, so this is no rematch: just another game like it.
    const again = async () => go(`/games/${(await api.create(sameSettings(game))).id}`);
    return <button class="main" disabled={play.busy} onClick={() => play.act(again)}>{t.sameAgain}</button>;
  }
  if (game.status !== 'finished') return null;
  const rematch = () => play.act(async () => {
    const { game: over, next } = await api.rematch(id);
    if (next && !own) go(`/games/${next.id}`); // whoever has no side is not led on
    return over;
  });
  const answer = (accept: boolean) => play.act(async () => (await api.answerRematch(id, accept)).game);
  if (own && game.rematch_offer && game.rematch_offer !== own) {
    return <Asked text={t.rematchAskedOfYou} yes={t.rematch} busy={play.busy} onAnswer={answer} />;
  }
  if (own && game.rematch_offer === own) {
    return (
      <div class="offer">
        <p>{t.rematchAsked}</p>
        <button disabled={play.busy} onClick={() => answer(false)}>{t.withdraw}</button>
      </div>
    );
  }
  return (
    <button class="main" disabled={play.busy} onClick={rematch}>
      {betweenPeople(game) ? t.rematch : t.again}
    </button>
  );
}

const points = (half: number | undefined) => String((half ?? 0) / 2).replace('.5', ',5');

export function MatchScore({ game }: { game: Game }) {
  const { match } = game;
  if (!match || (match.number ?? 1) < 2) return null;
  const [a, b] = match.half_points ?? [];
  // The own points stand first, as people say a score.
  const own = game.your_side === game.seats[1]?.side ? 1 : 0;
  return (
    <p class="muted" data-testid="match">
      {t.match(match.number)} · {t.matchScore(points(own ? b : a), points(own ? a : b))}
    </p>
  );
}
