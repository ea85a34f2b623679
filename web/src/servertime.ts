// The server's clock as far as this page can know it. Whatever time the server
// names has passed already when it is read here, so each is a lower bound of how
// far the two clocks are apart; the largest is the best.

/** A clock that nobody sets while the page is open; milliseconds. */
const local = () => performance.timeOrigin + performance.now();

export class ServerTime {
  #ahead: number | undefined;

  constructor(private readonly now: () => number = local) {}

  /** Takes a time that the server has named, in milliseconds or as text. */
  observe(at: number | string | null | undefined): void {
    const ms = typeof at === 'number' ? at : Date.parse(at ?? '');
    if (!Number.isFinite(ms)) return;
    this.#ahead = Math.max(this.#ahead ?? -Infinity, ms - this.now());
  }

  /** Milliseconds since a time of the server; never below 0. */
  since(at: string): number {
    return this.#ahead === undefined ? 0 : Math.max(0, this.now() + this.#ahead - Date.parse(at));
  }
}

export const serverTime = new ServerTime();
