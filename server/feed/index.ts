export { createProgramMethods } from './methods.ts';
export { LiveFeed } from './feed.ts';
export { createAnswerMethods } from './answers.ts';
export { createFeedMethods } from './methods.ts';
export { createUpstreamMethods, showWaiting } from './methods.ts';
