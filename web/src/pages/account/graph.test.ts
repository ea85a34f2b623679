import { expect, it } from 'vitest';
import { plot, stepFor } from './graph';

const frame = { width: 120, height: 60, left: 10, right: 10, top: 5, bottom: 15 };
const point = (day: string, rating: number, deviation = 50) => ({ day, rating, deviation });

it('places days by their distance and ratings by their height', () => {
  const { dots, line, levels } = plot([point('2026-01-01', 1500), point('2026-01-02', 1540), point('2026-01-11', 1520)], frame);
  expect(dots).toEqual([{ x: 10, y: 45 }, { x: 20, y: 5 }, { x: 110, y: 25 }]);
  expect(line).toBe('M10 45L20 5L110 25');
  expect(levels).toEqual([1500, 1510, 1520, 1530, 1540].map((rating, i) => ({ rating, y: 45 - 10 * i })));
});

it('puts a single day in the middle, without a band', () => {
  const { dots, band, levels } = plot([point('2026-01-01', 1500)], frame);
  expect(dots).toEqual([{ x: 60, y: 45 }]);
  expect(band).toBe('');
  expect(levels.map((l) => l.rating)).toEqual([1500, 1510]);
});

it('keeps the band of doubt within the picture', () => {
  const { band } = plot([point('2026-01-01', 1500, 350), point('2026-01-11', 1600, 350)], frame);
  expect(band).toBe('M10 5L110 5L110 45L10 45Z');
});

it('chooses levels that people read easily', () => {
  expect([0, 40, 41, 180, 900, 5000].map(stepFor)).toEqual([10, 10, 20, 50, 500, 1000]);
});
