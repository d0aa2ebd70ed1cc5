import type { Feed } from '../../server/core/feed.ts';

const nothing = (): void => undefined;
export const unwatched: Feed = { begun: nothing, progress: nothing, ended: nothing, run: nothing };
