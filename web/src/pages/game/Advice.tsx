// What the page says of the position: the ways out of a check, what must be
// captured, and, to whoever asks where it is allowed, what hangs.

import { useEffect, useState } from 'preact/hooks';
import {
  compulsion, compulsionSentence, hangingSentences, hangingSquares, helpAllowed, perfectSentence, waySentences,
  type Compulsion, type Insight,
} from '../../advice';
import { api } from '../../api';
import { t } from '../../texts';
import type { Game } from '../../types';

export interface Advising {
  /** It is the turn of whoever is at this page. */
  mine: boolean;
  inCheck: boolean;
  must: Compulsion | undefined;
  mayHelp: boolean;
  /** Help is allowed and was asked for. */
  helped: boolean;
  askHelp: (wanted: boolean) => void;
  insight: Insight | undefined;
  hanging: string[];
}

export function useAdvice(game: Game | undefined): Advising {
  const mine = game?.status === 'running' && !!game.your_side && game.side === game.your_side;
  const inCheck = mine && (game.check ?? []).length > 0;
  const [wanted, askHelp] = useState(false);
  const mayHelp = !!game && helpAllowed(game);
  const helped = mayHelp && wanted;
  const [insight, setInsight] = useState<Insight>();
  useEffect(() => {
    setInsight(undefined);
    if (!(inCheck || helped) || !game) return undefined;
    let stale = false;
    // Advice is an extra: without it the page still names who gives check.
    api.explain(game).then((found) => !stale && setInsight(found), () => undefined);
    return () => { stale = true; };
  }, [inCheck, helped, game?.position?.text]);
  const must = mine ? compulsion(game.rules, game.moves ?? []) : undefined;
  return { mine, inCheck, must, mayHelp, helped, askHelp, insight, hanging: helped ? hangingSquares(insight) : [] };
}

export function Advice({ game, advice }: { game: Game; advice: Advising }) {
  const { inCheck, must, mayHelp, helped, insight } = advice;
  const placing = game.rules === 'tictactoe';
  return (
    <>
      {inCheck && <p class="muted">{t.checkFrom((game.check ?? []).join(', '))}</p>}
      {inCheck && waySentences(game.rules, insight).map((way) => <p class="muted" data-testid="way" key={way}>{way}</p>)}
      {must && <p class="muted" data-testid="must">{compulsionSentence(must)}</p>}
      {advice.mine && game.touched && <p class="muted" data-testid="touched">{t.touchedMust(game.touched)}</p>}
      {mayHelp && (
        <label class="check">
          <input type="checkbox" checked={helped} onChange={(e) => advice.askHelp(e.currentTarget.checked)} />
          {placing ? t.showPerfect : t.showHanging}
        </label>
      )}
      {helped && insight && (
        <div data-testid="help" role="status">
          {(placing ? [perfectSentence(insight, game.side)] : hangingSentences(insight, game.your_side))
            .map((sentence) => <p class="muted" key={sentence}>{sentence}</p>)}
        </div>
      )}
    </>
  );
}
