// The last search in each collection, so that one comes back to it from a record.

import type { GameSearch, Search } from '../../calls/collections';

const searches = new Map<string, Search>();

export const lastSearch = (collection: string): Search => searches.get(collection) ?? {};
/** The same of one's own games, by the game. */
const gameSearches = new Map<string, GameSearch>();

export const lastGameSearch = (rules: string): GameSearch => gameSearches.get(rules) ?? {};
export const keepGameSearch = (rules: string, search: GameSearch): void => void gameSearches.set(rules, search);
export const keepSearch = (collection: string, search: Search): void => void searches.set(collection, search);
