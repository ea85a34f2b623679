// One click and a game has begun: each game against the computer, as a beginner
// likes it.

import { useState } from 'preact/hooks';
import { api, Problem, type NewGame } from '../../api';
import { PieceDrawing } from '../../board/pieces';
import { go } from '../../router';
import { useSession } from '../../session';
import { t } from '../../texts';
import type { Rules } from '../../types';
import { Failure } from '../Failure';
import { asProblem } from '../game/useGame';

const texts: Record<Rules, string> = { tictactoe: t.quickTictactoe, draughts: t.quickDraughts, chess: t.quickChess };
const order: Rules[] = ['tictactoe', 'draughts', 'chess'];
const signs: Record<Rules, [string, string]> = { tictactoe: ['x', 'mark'], draughts: ['black', 'king'], chess: ['white', 'knight'] };

/** Against the computer, casual, with moves to take back: nothing to lose. */
const settings = (rules: Rules): NewGame => ({
  rules,
  opponent: 'engine',
  level: rules === 'tictactoe' ? 'full' : 'plies-2',
  side: 'first',
  ...(rules === 'tictactoe' ? {} : { options: { takebacks: true } }),
});

export function QuickStart() {
  const { account } = useSession();
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const begin = async (rules: Rules) => {
    setBusy(true);
    setProblem(undefined);
    try {
      go(`/games/${(await api.create(settings(rules))).id}`);
    } catch (e) {
      setProblem(asProblem(e));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-labelledby="quick">
      <h2 id="quick">{t.oneClick}</h2>
      <Failure problem={problem} />
      <div class="tiles">
        {order.map((rules) => {
          const open = account || rules === 'tictactoe';
          const [side, kind] = signs[rules];
          return (
            <div class="card tile" key={rules}>
              <div class={`sign ${rules}`}><PieceDrawing rules={rules} side={side} kind={kind} /></div>
              <div>
                <h3>{t[rules]}</h3>
                <p class="muted">{open ? texts[rules] : t.loginToPlay}</p>
              </div>
              {open ? (
                <button class="main" disabled={busy} aria-label={t.quickPlay(t[rules])}
                  data-testid={rules === 'tictactoe' ? 'quick' : `quick-${rules}`} onClick={() => begin(rules)}>
                  {t.playNow}
                </button>
              ) : <a class="button" href="/register">{t.register}</a>}
            </div>
          );
        })}
      </div>
    </section>
  );
}
