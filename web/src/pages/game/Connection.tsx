// Whether the page hears the server. A short gap, as every stream has when it is
// opened anew, is not worth a word.

import { useEffect, useState } from 'preact/hooks';
import { t } from '../../texts';

const patience = 1_500;

export function Connection({ connected }: { connected: boolean }) {
  const [lost, setLost] = useState(false);
  const [back, setBack] = useState(false);
  useEffect(() => {
    if (!connected) {
      const timer = setTimeout(() => { setLost(true); setBack(false); }, patience);
      return () => clearTimeout(timer);
    }
    if (!lost) return undefined;
    setLost(false);
    setBack(true);
    const timer = setTimeout(() => setBack(false), 4_000);
    return () => clearTimeout(timer);
  }, [connected]);
  return (
    <div role="status" data-testid="connection" class="connection">
      {lost && <p class="notice lost">{t.connectionLost}</p>}
      {back && !lost && <p class="notice">{t.connectionBack}</p>}
    </div>
  );
}
