export { LiveFeed } from './feed.ts';
export { createFeedMethods } from './methods.ts';
