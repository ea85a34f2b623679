// The games that go on: own ones, invitations, people who wait, games to watch.

import { useState } from 'preact/hooks';
import { api, type Problem } from '../../api';
import { go } from '../../router';
import { useSession } from '../../session';
import { t } from '../../texts';
import type { Game } from '../../types';
import { Failure } from '../Failure';
import { names } from '../game/seats';
import { asProblem } from '../game/useGame';
import { DeclineDialog } from '../game/Waiting';
import { GameList } from './GameList';
import type { Lists as GameLists } from './useLists';

/** What can be done with a game in a list. */
function useDoing(reload: () => Promise<void>) {
  const [problem, setProblem] = useState<Problem>();
  const [declining, setDeclining] = useState<Game>();
  const act = async (call: () => Promise<Game>, then: (game: Game) => void) => {
    setProblem(undefined);
    try {
      then(await call());
    } catch (e) {
      setProblem(asProblem(e));
      void reload();
    }
  };
  const again = () => void reload();
  const label = (verb: string, game: Game) => `${verb}: ${t[game.rules]}, ${t.against(...names(game))}`;
  return {
    problem,
    link: (verb: string, game: Game) => <a class="button" href={`/games/${game.id}`} aria-label={label(verb, game)}>{verb}</a>,
    accept: (game: Game) => (
      <button class="main" aria-label={label(t.play, game)} onClick={() => act(() => api.accept(game.id), (g) => go(`/games/${g.id}`))}>
        {t.play}
      </button>
    ),
    decline: (game: Game) => <button aria-label={label(t.decline, game)} onClick={() => setDeclining(game)}>{t.decline}</button>,
    cancel: (game: Game) => (
      <button aria-label={label(t.cancel, game)} onClick={() => act(() => api.cancel(game.id), again)}>{t.cancel}</button>
    ),
    dialog: declining && (
      <DeclineDialog onClose={() => setDeclining(undefined)}
        onDecline={(reason) => act(() => api.decline(declining.id, reason), again)} />
    ),
  };
}

interface ListsProps {
  lists: GameLists;
  reload: () => Promise<void>;
}

/** What waits for the one who looks: it stands above all else, and only where there is something. */
export function OwnLists({ lists, reload }: ListsProps) {
  const { problem, link, accept, decline, cancel, dialog } = useDoing(reload);
  return (
    <>
      <Failure problem={problem} />
      <div class="own">
        <GameList id="invitations" title={t.invitations} games={lists.invited}>{(game) => <>{accept(game)}{decline(game)}</>}</GameList>
        <GameList id="mine" title={t.yourGames} games={lists.mine}>{(game) => link(t.goOn, game)}</GameList>
        <GameList id="suspended" title={t.suspendedGames} games={lists.suspended}>{(game) => link(t.goOn, game)}</GameList>
        <GameList id="waiting" title={t.waitingGames} games={lists.waiting}>{(game) => <>{link(t.see, game)}{cancel(game)}</>}</GameList>
      </div>
      {dialog}
    </>
  );
}

/** Games of others: to sit down at, and to watch. */
export function OtherLists({ lists, reload }: ListsProps) {
  const { account } = useSession();
  const { problem, link, accept } = useDoing(reload);
  // Guests may sit down at tic-tac-toe alone, and nobody plays against oneself.
  const seeks = lists.open.filter((g) => !g.your_side && (account || (g.rules === 'tictactoe' && !g.rated)));
  return (
    <div class="stack">
      <Failure problem={problem} />
      <GameList id="seeks" title={t.seeks} empty={t.noSeeks} games={seeks}>{accept}</GameList>
      <GameList id="live" title={t.liveGames} empty={t.noLiveGames} games={lists.live.filter((g) => !g.your_side)}>
        {(game) => link(t.watch, game)}
      </GameList>
    </div>
  );
}
