export { createOutputStore, type OutputStoreOptions } from './store.ts';
export { readBeginning } from './beginning.ts';
export { createOutputPager } from './pager.ts';
export { createOutputPolicy } from './policy.ts';
export { createOutputSaves } from './save.ts';
export { createSealer } from './seal.ts';
export { createOutputSearch } from './search.ts';
export { startSweeper } from './sweeper.ts';
