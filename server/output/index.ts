export { createOutputStore, startSweeper, type OutputStoreOptions } from './store.ts';
export { createOutputPager } from './pager.ts';
export { createOutputPolicy } from './policy.ts';
export { createOutputSaves } from './save.ts';
export { createSealer } from './serialise.ts';
export { createOutputSearch } from './query/search.ts';
