// The one event stream of a page. It comes back by itself: after an error, after
// silence, and after the machine slept.

import { serverTime } from './servertime';
import type { Game, GameEvent, Ply } from './types';

export interface LiveHandlers {
  game?: (game: Game) => void;
  me?: () => void;
  gone?: () => void;
  /** The sides whose players have the game open, whenever that changes. */
  presence?: (sides: string[]) => void;
  connected?: (connected: boolean) => void;
}

interface GameMessage {
  kind: string;
  version: number;
  event?: GameEvent;
  game?: Game;
}

/** Silence longer than two heartbeats and a margin means that the stream is dead. */
const silenceMs = 15_000;

/**
 * Adds an event to the state that a client holds. Events carry the new state
 * without its plies; versions already seen are dropped. Undefined means that
 * events are missing and the whole state must be read again.
 */
export function evolve(game: Game | undefined, event: GameEvent): Game | undefined {
  if (!game) return undefined;
  if (event.version <= game.version) return game;
  if (event.version !== game.version + 1) return undefined;
  let plies: Ply[] = event.ply ? [...(game.plies ?? []), event.ply] : (game.plies ?? []);
  if (event.kind === 'taken_back') plies = plies.slice(0, event.game.ply_count ?? 0);
  return seenBy(game, { ...event.game, plies });
}

/** Gives a state that was made for nobody the side of the one who held the last. */
function seenBy(held: Game, next: Game): Game {
  if (!held.your_side || next.your_side) return next;
  return { ...next, your_side: next.opponent === 'self' ? next.side : held.your_side };
}

/**
 * The newer of two states of one game. An answer to a command and the event that
 * it made hold the same version, and only the answer says whose side is ours.
 */
export function newer(held: Game | undefined, next: Game): Game {
  if (!held || held.id !== next.id) return next;
  if (next.version < held.version) return held;
  return seenBy(held, next);
}

/** Answers a heartbeat that asks for it, so that the server knows the line's latency. */
export function echo(data: string): void {
  let nonce: unknown;
  try {
    nonce = (JSON.parse(data) as { nonce?: unknown }).nonce;
  } catch {
    return;
  }
  if (typeof nonce !== 'string' || nonce === '') return;
  // It is of no use late, and the next heartbeat asks again: nothing waits for it.
  void fetch('/v1/events/echo', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify({ nonce }),
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined);
}

type Listener = (data: string) => void;

/**
 * Opens the stream for the topics and returns what closes it. Each event that is listened for tells that the
 * stream lives; listeners are by its name.
 */
export function connect(topics: string[], listeners: Record<string, Listener>, told?: (connected: boolean) => void): () => void {
  const url = `/v1/events?${topics.map((t) => `topic=${encodeURIComponent(t)}`).join('&')}`;
  let source: EventSource | undefined;
  let closed = false;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const alive = () => {
    failures = 0;
    told?.(true);
    clearTimeout(silence);
    silence = setTimeout(reopen, silenceMs);
  };
  const open = () => {
    if (closed) return;
    source = new EventSource(url);
    source.onopen = alive;
    for (const [name, listener] of Object.entries({ beat: echo, ...listeners })) {
      source.addEventListener(name, (message) => {
        alive();
        listener((message as MessageEvent<string>).data);
      });
    }
    source.onerror = () => {
      told?.(false);
      if (source?.readyState === EventSource.CLOSED) reopen();
    };
  };
  const reopen = () => {
    clearTimeout(silence);
    clearTimeout(retry);
    source?.close();
    told?.(false);
    if (closed) return;
    retry = setTimeout(open, Math.min(10_000, 500 * 2 ** failures++));
  };
  const wake = () => {
    if (document.visibilityState === 'visible' && source?.readyState !== EventSource.OPEN) reopen();
  };
  document.addEventListener('visibilitychange', wake);
  open();
  return () => {
    closed = true;
    document.removeEventListener('visibilitychange', wake);
    clearTimeout(silence);
    clearTimeout(retry);
    source?.close();
  };
}

/** Watches a game, or what concerns oneself, and returns what ends that. */
export function watch(topics: string[], handlers: LiveHandlers, reload: () => Promise<Game | undefined>): () => void {
  let closed = false;
  let game: Game | undefined;
  const show = (next: Game) => {
    if (game && next.version < game.version) return;
    game = next;
    handlers.game?.(next);
  };
  const close = connect(topics, {
    game: (data) => {
      const { kind, event, game: snapshot } = JSON.parse(data) as GameMessage;
      if (kind === 'snapshot' && snapshot) return show(snapshot);
      if (!event) return;
      serverTime.observe(event.at);
      const next = evolve(game, event);
      if (next) return show(next);
      void reload().then((whole) => whole && !closed && show(whole), () => undefined);
    },
    me: () => handlers.me?.(),
    presence: (data) => handlers.presence?.((JSON.parse(data) as { present?: string[] }).present ?? []),
    gone: () => handlers.gone?.(),
  }, handlers.connected);
  return () => {
    closed = true;
    close();
  };
}
