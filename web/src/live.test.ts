import { afterEach, describe, expect, it, vi } from 'vitest';
import { echo, evolve, newer } from './live';
import type { Game, GameEvent, Ply } from './types';

const game = (version: number, extra: Partial<Game> = {}): Game => ({
  id: 'g', rules: 'tictactoe', status: 'running', version, seats: [], side: 'x', ...extra,
});
const ply: Ply = { ply: 1, side: 'x', move: { text: 'b2', notation: 'b2', to: 'b2', path: ['b2'] } };
const event = (version: number): GameEvent => ({ game_id: 'g', version, kind: 'moved', ply, game: game(version, { side: 'o' }) });

describe('evolving a game', () => {
  it('adds the ply of the next event and keeps whose side is mine', () => {
    expect(evolve(game(1, { your_side: 'x', plies: [] }), event(2))).toEqual(
      game(2, { side: 'o', plies: [ply], your_side: 'x' }),
    );
  });
  it('drops the plies that were taken back', () => {
    const back: GameEvent = { game_id: 'g', version: 4, kind: 'taken_back', game: game(4, { ply_count: 1 }) };
    expect(evolve(game(3, { plies: [ply, { ...ply, ply: 2 }] }), back)?.plies).toEqual([ply]);
    const all: GameEvent = { game_id: 'g', version: 4, kind: 'taken_back', game: game(4) };
    expect(evolve(game(3, { plies: [ply] }), all)?.plies).toEqual([]);
  });
  it('gives whoever moves both sides the side to move', () => {
    const next = { ...event(2), game: game(2, { side: 'o', opponent: 'self' }) };
    expect(evolve(game(1, { your_side: 'x', opponent: 'self' }), next)?.your_side).toBe('o');
    expect(evolve(game(1, { opponent: 'self' }), next)?.your_side).toBeUndefined();
  });
  it('drops a version that it has seen', () => {
    const held = game(3);
    expect(evolve(held, event(3))).toBe(held);
    expect(evolve(held, event(2))).toBe(held);
  });
  it('asks for the whole state when events are missing', () => {
    expect(evolve(game(1), event(3))).toBeUndefined();
    expect(evolve(undefined, event(1))).toBeUndefined();
  });
});

describe('choosing the newer state', () => {
  it('keeps whose side is ours when the event of our own seat comes after its answer', () => {
    expect(newer(game(2, { your_side: 'o' }), game(2))).toEqual(game(2, { your_side: 'o' }));
    expect(newer(game(2, { your_side: 'o' }), game(3))).toEqual(game(3, { your_side: 'o' }));
  });
  it('drops what is older and takes another game whole', () => {
    const held = game(3);
    expect(newer(held, game(2))).toBe(held);
    const other = { ...game(1), id: 'h' };
    expect(newer(game(3, { your_side: 'x' }), other)).toBe(other);
    expect(newer(undefined, other)).toBe(other);
  });
});

describe('answering a heartbeat', () => {
  afterEach(() => vi.unstubAllGlobals());
  it('sends its nonce back at once', () => {
    const fetched = vi.fn(() => Promise.resolve(new Response(null, { status: 204 })));
    vi.stubGlobal('fetch', fetched);
    echo('{"nonce":"ABC"}');
    expect(fetched).toHaveBeenCalledWith(
      '/v1/events/echo',
      expect.objectContaining({ method: 'POST', body: '{"nonce":"ABC"}' }),
    );
  });
  it('says nothing where nothing is asked, and does not mind failures', () => {
    const fetched = vi.fn(() => Promise.reject(new Error('offline')));
    vi.stubGlobal('fetch', fetched);
    for (const data of ['{}', '', 'x', '{"nonce":7}', '{"nonce":""}']) echo(data);
    expect(fetched).not.toHaveBeenCalled();
    echo('{"nonce":"ABC"}');
    expect(fetched).toHaveBeenCalledTimes(1);
  });
});
