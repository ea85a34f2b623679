// The first page: play at once, make a game, find one.

import { useSession } from '../session';
import { t } from '../texts';
import { OtherLists, OwnLists } from './lobby/Lists';
import { NewGameForm } from './lobby/NewGameForm';
import { QuickStart } from './lobby/QuickStart';
import { useLists } from './lobby/useLists';

export function Home() {
  const { account } = useSession();
  const { lists, reload } = useLists();
  return (
    <>
      <div class="hero">
        <h1>{t.title}</h1>
        <p>{t.tagline}</p>
      </div>
      {account && <OwnLists lists={lists} reload={reload} />}
      <QuickStart />
      <div class="lobby">
        <NewGameForm key={`${account?.id ?? ''} ${location.search}`} />
        <OtherLists lists={lists} reload={reload} />
      </div>
    </>
  );
}
