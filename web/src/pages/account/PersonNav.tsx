// The pages about oneself, side by side.

import { t } from '../../texts';

const pages = [['/me', 'results'], ['/ratings', 'ratings'], ['/account', 'account']] as const;

export function PersonNav({ here }: { here: '/me' | '/ratings' | '/account' }) {
  return (
    <nav class="tabs" aria-label={t.people.nav.label}>
      {pages.map(([path, name]) => (
        <a key={path} href={path} aria-current={path === here ? 'page' : undefined}>{t.people.nav[name]}</a>
      ))}
    </nav>
  );
}
