export { createProgramMethods } from './programs.ts';
export { LiveFeed } from './feed.ts';
export { createAnswerMethods } from './answers.ts';
export { createFeedMethods } from './methods.ts';
export { createUpstreamMethods, showWaiting } from './upstreams.ts';
