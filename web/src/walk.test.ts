import { describe, expect, it } from 'vitest';
import type { Move } from './types';
import { start, step, targets } from './walk';

const move = (text: string, path: string[], promotion = ''): Move => ({
  text, notation: text, from: path[0] ?? '', to: path[path.length - 1] ?? '', path, promotion,
});

const chess = [move('e2e4', ['e2', 'e4']), move('e2e3', ['e2', 'e3']), move('g1f3', ['g1', 'f3'])];
const promotions = ['q', 'r', 'b', 'n'].map((p) => move(`a7a8${p}`, ['a7', 'a8'], p));
const twice = [
  move('c1xe3xc5', ['c1', 'e3', 'c5']),
  move('c1xe3xg5', ['c1', 'e3', 'g5']),
  move('h2xf4xd6xb8', ['h2', 'f4', 'd6', 'b8']),
];
const round = [move('d2xb4xd6xf4xd2', ['d2', 'b4', 'd6', 'f4', 'd2']), move('d2xf4xd6xb4xd2', ['d2', 'f4', 'd6', 'b4', 'd2'])];

describe('walking paths', () => {
  it('plays a chess move in two clicks', () => {
    const first = step(chess, start, 'e2');
    expect(first).toEqual({ kind: 'walking', walk: { prefix: ['e2'] } });
    expect(step(chess, { prefix: ['e2'] }, 'e4')).toEqual({ kind: 'chosen', moves: [chess[0]] });
  });
  it('places a mark in one click', () => {
    const marks = [move('b2', ['b2'])];
    expect(step(marks, start, 'b2')).toEqual({ kind: 'chosen', moves: marks });
  });
  it('puts the piece down on a second click', () => {
    expect(step(chess, { prefix: ['e2'] }, 'e2')).toEqual({ kind: 'released' });
  });
  it('picks another piece up instead', () => {
    expect(step(chess, { prefix: ['e2'] }, 'g1')).toEqual({ kind: 'walking', walk: { prefix: ['g1'] } });
  });
  it('refuses where no path goes on and says between which squares', () => {
    expect(step(chess, { prefix: ['e2'] }, 'e5')).toEqual({ kind: 'refused', from: 'e2', to: 'e5' });
    expect(step(chess, start, 'd7')).toEqual({ kind: 'refused', from: undefined, to: 'd7' });
  });
  it('hands over every promotion of the same path', () => {
    expect(step(promotions, { prefix: ['a7'] }, 'a8')).toEqual({ kind: 'chosen', moves: promotions });
  });
  it('walks a capture square by square', () => {
    expect(targets(twice, ['c1'])).toEqual(new Set(['e3']));
    expect(step(twice, { prefix: ['c1'] }, 'e3')).toEqual({ kind: 'walking', walk: { prefix: ['c1', 'e3'] } });
    expect(step(twice, { prefix: ['c1', 'e3'] }, 'g5')).toEqual({ kind: 'chosen', moves: [twice[1]] });
  });
  it('takes the last square of a single path at once', () => {
    expect(step(twice, { prefix: ['h2'] }, 'b8')).toEqual({ kind: 'chosen', moves: [twice[2]] });
  });
  it('does not guess between two paths that end on the origin', () => {
    expect(step(round, { prefix: ['d2'] }, 'd2')).toEqual({ kind: 'released' });
    expect(step(round, { prefix: ['d2', 'b4'] }, 'd2')).toEqual({ kind: 'chosen', moves: [round[0]] });
  });
});
