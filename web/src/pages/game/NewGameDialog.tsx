// A new game while one is being played: what becomes of this one, and what the
// next one is.

import { useState } from 'preact/hooks';
import { api, type NewGame, type Problem } from '../../api';
import { go } from '../../router';
import { t } from '../../texts';
import type { Game } from '../../types';
import { Dialog } from '../Dialog';
import { Failure } from '../Failure';
import { asProblem } from './useGame';

/** The request for a game with the settings of another. */
export function sameSettings(game: Game): NewGame {
  const { clock, options } = game;
  const opponent = game.opponent ?? (game.seats.some((s) => s.kind === 'engine') ? 'engine' : 'person');
  const rival = game.seats.find((s) => s.side !== game.your_side);
  return {
    rules: game.rules,
    opponent,
    ...(opponent === 'engine' && rival?.level ? { level: rival.level } : {}),
    ...(opponent === 'engines' ? { engines: game.seats.map((s) => ({ level: s.level ?? '' })) } : {}),
    ...(opponent === 'person' && rival?.account && rival.name ? { invite: rival.name } : {}),
    side: 'random',
    rated: game.rated ?? false,
    visibility: game.visibility ?? '',
    ...(options ? { options } : {}),
    ...(game.rules === 'draughts' && game.position?.draws ? { draws: game.position.draws } : {}),
    ...(clock ? { clock: { initial_ms: clock.initial_ms, increment_ms: clock.increment_ms ?? 0 } } : {}),
  };
}

export function NewGameDialog({ game, onClose }: { game: Game; onClose: () => void }) {
  const ways = ['keep', 'resign', ...(game.may_abort ? ['abort'] : [])];
  const labels: Record<string, string> = { keep: t.keepGame, resign: t.resignGame, abort: t.abortGame };
  const [how, setHow] = useState(game.may_abort ? 'abort' : 'keep');
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const begin = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const next = await api.create({ ...sameSettings(game), replaces: { game: game.id, how } });
      onClose();
      go(`/games/${next.id}`);
    } catch (e) {
      setProblem(asProblem(e));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t.newGame} onClose={onClose}>
      <fieldset class="choices">
        <legend>{t.newGameAsk}</legend>
        {ways.map((way) => (
          <label class="check" key={way}>
            <input type="radio" name="how" value={way} checked={how === way} onChange={() => setHow(way)} /> {labels[way]}
          </label>
        ))}
      </fieldset>
      <Failure problem={problem} />
      <div class="actions">
        <button class="main" disabled={busy} onClick={begin}>{t.sameAgain}</button>
        <button disabled={busy} onClick={() => go(`/?replaces=${game.id}&how=${how}`)}>{t.chooseAnother}</button>
        <button onClick={onClose}>{t.goOnPlaying}</button>
      </div>
    </Dialog>
  );
}
