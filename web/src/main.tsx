// The web client: a header, and the page that the address names.

import { render } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { api } from './api';
import { LogIn, Register } from './pages/Entry';
import { GamePage } from './pages/GamePage';
import { Home } from './pages/Home';
import { Me } from './pages/Me';
import { follow, go, usePath } from './router';
import { SessionContext, useSession } from './session';
import './style.css';
import './style/lobby.css';
import './style/game.css';
import { t } from './texts';
import type { About, Account } from './types';

function Header() {
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
          {account ? (
            <>
              <a href="/me" data-testid="me">{account.login}</a>
              <button onClick={leave}>{t.logOut}</button>
            </>
          ) : (
            <>
              <a href="/login">{t.logIn}</a>
              <a href="/register">{t.register}</a>
            </>
          )}
        </nav>
      </header>
    </>
  );
}

function Page({ path }: { path: string }) {
  const game = /^\/games\/([0-9a-f-]{36})$/.exec(path);
  if (game?.[1]) return <GamePage id={game[1]} />;
  switch (path) {
    case '/':
      return <Home />;
    case '/login':
    case '/login/registered':
      return <LogIn registered={path.endsWith('/registered')} />;
    case '/register':
      return <Register />;
    case '/me':
      return <Me />;
    default:
      return <p>{t.notFound} <a href="/">{t.home}</a></p>;
  }
}

function App() {
  const path = usePath();
  const [account, setAccount] = useState<Account>();
  const [about, setAbout] = useState<About>();
  const [ready, setReady] = useState(false);
  const refresh = useCallback(async () => setAccount(await api.me()), []);
  useEffect(() => {
    void Promise.allSettled([refresh(), api.about().then(setAbout)]).then(() => setReady(true));
  }, []);
  const session = useMemo(() => ({ account, about, refresh }), [account, about]);
  return (
    <SessionContext.Provider value={session}>
      <div onClick={follow}>
        <Header />
        <main id="main">{ready && <Page path={path} />}</main>
      </div>
    </SessionContext.Provider>
  );
}

render(<App />, document.getElementById('app') as HTMLElement);
