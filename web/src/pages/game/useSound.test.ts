import { expect, test } from 'vitest';
import type { Ply } from '../../types';
import { heard } from './useSound';

const ply = (captures: string[] = []) => ({ move: { text: 'x', notation: 'x', from: 'a1', to: 'a2', path: [], captures } }) as unknown as Ply;

test('a move, a capture and the end are heard, each once', () => {
  expect(heard({ plies: [ply()], status: 'running' }, 0, 'running')).toBe('move');
  expect(heard({ plies: [ply(), ply(['b2'])], status: 'running' }, 1, 'running')).toBe('capture');
  expect(heard({ plies: [ply(), ply()], status: 'finished' }, 1, 'running')).toBe('end');
  expect(heard({ plies: [ply(), ply()], status: 'finished' }, 2, 'finished')).toBe(undefined);
});

test('loading, taking back and joining are silent', () => {
  expect(heard({ plies: [ply(), ply()], status: 'running' }, 0, 'running')).toBe(undefined);
  expect(heard({ plies: [ply()], status: 'running' }, 2, 'running')).toBe(undefined);
  expect(heard({ plies: [], status: 'running' }, 0, 'open')).toBe(undefined);
});
