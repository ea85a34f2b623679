// The geometry of a graph of ratings: numbers in, places in a picture out.

export interface Point {
  day: string;
  rating: number;
  deviation: number;
}

export interface Plot {
  /** Places of the points, in order. */
  dots: { x: number; y: number }[];
  /** The line through them and the band of doubt around it, as SVG paths. */
  line: string;
  band: string;
  /** Horizontal lines with their ratings. */
  levels: { y: number; rating: number }[];
}

export interface Frame {
  width: number;
  height: number;
  left: number;
  bottom: number;
  top: number;
  right: number;
}

const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000;

/** The least distance of levels, of those that people read easily, that leaves at most five of them. */
export function stepFor(range: number): number {
  return [10, 20, 50, 100, 200, 500].find((step) => range / step <= 4) ?? 1000;
}

export function plot(points: readonly Point[], frame: Frame): Plot {
  const ratings = points.map((p) => p.rating);
  const step = stepFor(Math.max(...ratings) - Math.min(...ratings));
  const low = Math.floor(Math.min(...ratings) / step) * step;
  const high = Math.max(low + step, Math.ceil(Math.max(...ratings) / step) * step);
  const first = dayNumber(points[0]?.day ?? '');
  const span = dayNumber(points[points.length - 1]?.day ?? '') - first;
  const inside = { w: frame.width - frame.left - frame.right, h: frame.height - frame.top - frame.bottom };
  const round = (n: number) => Math.round(n * 10) / 10;
  const x = (day: string) => round(frame.left + (span === 0 ? inside.w / 2 : ((dayNumber(day) - first) / span) * inside.w));
  const y = (rating: number) => round(frame.top + inside.h - ((rating - low) / (high - low)) * inside.h);
  const within = (rating: number) => y(Math.min(high, Math.max(low, rating)));
  const join = (places: string[]) => (places.length > 0 ? `M${places.join('L')}` : '');
  const levels = [];
  for (let rating = low; rating <= high; rating += step) levels.push({ y: y(rating), rating });
  const above = points.map((p) => `${x(p.day)} ${within(p.rating + p.deviation)}`);
  const below = points.map((p) => `${x(p.day)} ${within(p.rating - p.deviation)}`).reverse();
  return {
    dots: points.map((p) => ({ x: x(p.day), y: y(p.rating) })),
    line: join(points.map((p) => `${x(p.day)} ${y(p.rating)}`)),
    band: points.length > 1 ? `${join([...above, ...below])}Z` : '',
    levels,
  };
}
