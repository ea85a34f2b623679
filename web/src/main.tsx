// The web client: a header, and the page that the address names.

import { render, type VNode } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { api, Problem } from './api';
import { AccountPage } from './pages/account/AccountPage';
import { FirstAccess } from './pages/account/FirstAccess';
import { Ratings } from './pages/account/Ratings';
import { SharedLogIn } from './pages/account/SharedLogIn';
import { AuditPage } from './pages/classes/Audit';
import { ClassesPage } from './pages/classes/ClassesPage';
import { ClassPage } from './pages/classes/ClassPage';
import { PersonPage } from './pages/classes/PersonPage';
import { CollectionPage } from './pages/collections/CollectionPage';
import { CollectionsPage } from './pages/collections/CollectionsPage';
import { GamesPage, OwnGamePage } from './pages/collections/GamesPage';
import { RecordPage } from './pages/collections/RecordPage';
import { LogIn, Register } from './pages/Entry';
import { GamePage } from './pages/GamePage';
import { Home } from './pages/Home';
import { Me } from './pages/Me';
import { TournamentPage } from './pages/tournaments/TournamentPage';
import { TournamentsPage } from './pages/tournaments/TournamentsPage';
import { follow, go, usePath } from './router';
import { SessionContext, useSession } from './session';
import './style.css';
import './style/lobby.css';
import './style/game.css';
import './style/people.css';
import { t } from './texts';
import type { About, Account } from './types';

function Header({ known }: { known: boolean }) {
  const { account, about, refresh } = useSession();
  const leave = async () => {
    if (!confirm(t.logOutConfirm)) return;
    await api.logOut().catch(() => undefined);
    await refresh().catch(() => undefined);
    go('/');
  };
  return (
    <>
      <a class="skip" href="#main" data-plain>{t.skip}</a>
      {about?.insecure_lan && <p class="banner" role="note">{t.insecureLan}</p>}
      <header>
        <a class="brand" href="/">{t.title}</a>
        <nav>
          {known && (account ? (
            <>
              <a href="/classes">{t.people.nav.classes}</a>
              <a href="/collections">{t.people.nav.collections}</a>
              <a href="/tournaments">{t.tournaments.nav}</a>
              <a href="/me" data-testid="me">{account.login}</a>
              <button onClick={leave}>{t.logOut}</button>
            </>
          ) : (
            <>
              <a href="/login">{t.logIn}</a>
              <a href="/register">{t.register}</a>
            </>
          ))}
        </nav>
      </header>
    </>
  );
}

const id = '[0-9a-f-]{36}';

/** Pages of one thing, by the parts of their addresses. */
const pages: [RegExp, (...parts: string[]) => VNode][] = [
  [new RegExp(`^/games/(${id})$`), (game = '') => <GamePage id={game} />],
  [new RegExp(`^/classes/(${id})$`), (group = '') => <ClassPage key={group} id={group} />],
  [new RegExp(`^/classes/(${id})/pupils/(${id})$`), (group = '', person = '') => <PersonPage key={person} account={person} group={group} />],
  [new RegExp(`^/people/(${id})$`), (person = '') => <PersonPage key={person} account={person} />],
  [new RegExp(`^/collections/(${id})$`), (collection = '') => <CollectionPage key={collection} id={collection} />],
  [new RegExp(`^/collections/(${id})/([1-9][0-9]{0,8})$`), (collection = '', number = '') =>
    <RecordPage key={collection + number} collection={collection} number={Number(number)} />],
  [/^\/collections\/games\/(chess|draughts)$/, (rules = '') => <GamesPage key={rules} rules={rules as 'chess'} />],
  [new RegExp(`^/collections/games/(chess|draughts)/(${id})$`), (rules = '', game = '') =>
    <OwnGamePage key={game} rules={rules as 'chess'} id={game} />],
  [new RegExp(`^/tournaments/(${id})$`), (tournament = '') => <TournamentPage key={tournament} id={tournament} />],
];

const notices: Record<string, string> = {
  '/login/registered': t.registered,
  '/login/changed': t.people.passwordChanged,
  '/login/deleted': t.people.accountDeleted,
};

function Page({ path }: { path: string }) {
  for (const [address, page] of pages) {
    const found = address.exec(path);
    if (found) return page(...found.slice(1));
  }
  switch (path) {
    case '/':
      return <Home />;
    case '/login':
    case '/login/registered':
    case '/login/changed':
    case '/login/deleted':
      return <LogIn notice={notices[path]} />;
    case '/login/shared':
      return <SharedLogIn />;
    case '/first':
      return <FirstAccess />;
    case '/register':
      return <Register />;
    case '/me':
      return <Me />;
    case '/ratings':
      return <Ratings />;
    case '/account':
      return <AccountPage />;
    case '/classes':
      return <ClassesPage />;
    case '/audit':
      return <AuditPage />;
    case '/collections':
      return <CollectionsPage />;
    case '/tournaments':
      return <TournamentsPage />;
    default:
      return <p>{t.notFound} <a href="/">{t.home}</a></p>;
  }
}

/** What may be better at the next attempt. */
const passing = (e: unknown) => e instanceof Problem && (e.status === 0 || e.status === 429 || e.status >= 500);

function App() {
  const path = usePath();
  const [account, setAccount] = useState<Account>();
  const [about, setAbout] = useState<About>();
  const [ready, setReady] = useState(false);
  const [away, setAway] = useState(false);
  const refresh = useCallback(async () => setAccount(await api.me()), []);
  useEffect(() => {
    // Who cannot be asked about is not a visitor: until there is an answer nobody is
    // shown a page that tells them to log in.
    let timer: ReturnType<typeof setTimeout>;
    const begin = async (wait: number) => {
      const [me] = await Promise.allSettled([refresh(), api.about().then(setAbout)]);
      if (me.status === 'fulfilled' || !passing(me.reason)) return setReady(true);
      setAway(true);
      timer = setTimeout(() => void begin(Math.min(2 * wait, 10_000)), wait);
    };
    void begin(1000);
    return () => clearTimeout(timer);
  }, []);
  const session = useMemo(() => ({ account, about, refresh }), [account, about]);
  return (
    <SessionContext.Provider value={session}>
      <div onClick={follow}>
        <Header known={ready} />
        <main id="main">{ready ? <Page path={path} /> : away && <p class="notice" role="status">{t.offline}</p>}</main>
      </div>
    </SessionContext.Provider>
  );
}

render(<App />, document.getElementById('app') as HTMLElement);
