// The last search in each collection, so that one comes back to it from a record.

import type { Search } from '../../calls/collections';

const searches = new Map<string, Search>();

export const lastSearch = (collection: string): Search => searches.get(collection) ?? {};
export const keepSearch = (collection: string, search: Search): void => void searches.set(collection, search);
