export { createOutputStore, type OutputStore, type OutputStoreOptions } from './store.ts';
export type { StoredOutput } from './reader.ts';
export type { SweepReport } from './cleanup.ts';
export { createOutputPager } from './pager.ts';
export { createOutputPolicy } from './policy.ts';
export { createSweeper, type Sweeper } from './sweeper.ts';
export { bytesPayload, itemsPayload, jsonPayload, produce, textPayload } from './payload.ts';
