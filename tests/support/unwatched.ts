import type { LiveFeed } from '../../server/activity/feed.ts';

const nothing = (): void => undefined;
export const unwatched: Pick<LiveFeed, 'begun' | 'progress' | 'ended' | 'run'> = {
  begun: nothing,
  progress: nothing,
  ended: nothing,
  run: nothing,
};
