// The rounds with their boards and games, the newest first.

import { useState } from 'preact/hooks';
import { tournaments, type Board, type Round, type Tournament } from '../../calls/tournaments';
import { useSession } from '../../session';
import { t } from '../../texts';
import { Dialog } from '../Dialog';
import { Failure } from '../Failure';
import { Choice, Scroll, timeOf, typed, useAct } from '../forms';
import { nameOf, resultOf, seesGames } from './names';
import type { Part } from './Players';

const w = t.tournaments;

const nameAt = (one: Tournament, number: number | undefined) => nameOf(one.players?.find((p) => p.number === number));

function Decide({ one, told, round, board }: Part & { round: number; board: Board }) {
  const { problem, busy, act } = useAct();
  const [asked, setAsked] = useState(false);
  const [white, black] = [nameAt(one, board.white), nameAt(one, board.black)];
  const title = w.decideBoard(board.number, white, black);
  // Somebody goes on from a knock-out match.
  const choices = Object.entries(w.outcomes(white, black)).filter(([key]) => one.kind !== 'knockout' || key === '1-0' || key === '0-1');
  const submit = (e: Event) => {
    const value = typed(e);
    void act(async () => {
      told(await tournaments.decide(one.id, { round, board: board.number, result: value('result'), played: value('played') === 'on' }));
      setAsked(false);
    });
  };
  return (
    <>
      <button type="button" aria-label={title} onClick={() => setAsked(true)}>{w.decide}</button>
      {asked && (
        <Dialog title={title} onClose={() => setAsked(false)}>
          <form class="inline" onSubmit={submit} noValidate>
            <Choice name="result" label={w.result} options={choices} />
            <label class="check"><input type="checkbox" name="played" /> {w.playedAtBoard}</label>
            {!board.result && <p class="muted">{w.decideText}</p>}
            <Failure problem={problem} />
            <div class="actions">
              <button class="main" disabled={busy} data-testid="confirm">{w.decide}</button>
              <button type="button" onClick={() => setAsked(false)}>{t.people.keep}</button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}

/** The games, for those who may see them. */
function Games({ one, board }: { one: Tournament; board: Board }) {
  const { account } = useSession();
  const games = seesGames(one, account?.roles) ? board.games ?? [] : [];
  const [white, black] = [nameAt(one, board.white), nameAt(one, board.black)];
  return (
    <>
      {games.map((game, i) => {
        const [first, second] = game.reversed ? [black, white] : [white, black];
        return (
          <span key={game.id}>
            {i > 0 && ' '}
            <a href={`/games/${game.id}`} aria-label={w.seeGame(first, second, i + 1)}>{games.length > 1 ? w.seeNth(i + 1) : w.see}</a>
            {game.result === 'aborted' && ` (${w.aborted})`}
          </span>
        );
      })}
      {games.length === 0 && '—'}
    </>
  );
}

/** Nobody decides a board that they sit at. */
const decidable = (one: Tournament, board: Board) => !!board.black && (!one.you || (board.white !== one.you && board.black !== one.you));

function Boards({ one, told, round, current }: Part & { round: Round; current: boolean }) {
  // Who went on from a knock-out match has played since.
  const decides = !!one.organiser && one.status === 'running' && (current || one.kind !== 'knockout');
  const [first, second] = one.rules === 'tictactoe' ? [t.x, t.o] : [t.white, t.black];
  return (
    <Scroll label={w.round(round.number)}>
      <table>
        <thead>
          <tr>
            {[w.board, first, second, w.result, w.gamesOf].map((h) => <th key={h} scope="col">{h}</th>)}
            {decides && <th scope="col"><span class="sr">{w.decide}</span></th>}
          </tr>
        </thead>
        <tbody>
          {(round.boards ?? []).map((board) => (
            <tr key={board.number}>
              <td>{board.number}</td>
              <td>{board.white === one.you ? <strong>{nameAt(one, board.white)}</strong> : nameAt(one, board.white)}</td>
              <td>{board.black && board.black === one.you ? <strong>{nameAt(one, board.black)}</strong> : nameAt(one, board.black)}</td>
              <td data-result={board.result ?? ''}>{resultOf(board)}</td>
              <td><Games one={one} board={board} /></td>
              {decides && <td>{decidable(one, board) && <Decide one={one} told={told} round={round.number} board={board} />}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

export function Rounds({ one, told }: Part) {
  const played = [...(one.played ?? [])].reverse();
  if (played.length === 0) return one.status === 'running' ? <section class="card"><p role="status">{w.soon}</p></section> : null;
  return (
    <section class="card" data-testid="rounds">
      <h2>{w.rounds}</h2>
      {played.map((round, i) => (
        <details key={round.number} open={i === 0}>
          <summary>
            {w.round(round.number)}
            {round.deadline && i === 0 && one.status === 'running' ? ` (${w.until(timeOf(round.deadline))})` : ''}
          </summary>
          <Boards one={one} told={told} round={round} current={i === 0} />
        </details>
      ))}
    </section>
  );
}
