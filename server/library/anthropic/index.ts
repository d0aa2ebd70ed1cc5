/** `spillway/anthropic`: Spillway's tools for the Messages API. The caller brings the client. */
export { handleToolUse, toAnthropicTools, type HandleOptions, type OwnTool } from './tools.ts';
export {
  runToolLoop,
  ToolLoop,
  type LoopEnd,
  type LoopParams,
  type ToolLoopEvent,
  type ToolLoopOptions,
} from './loop.ts';
export type { PendingToolUse } from './tools.ts';
export { closeOpenCalls, humanInteractionTool } from './human/conversation.ts';
export {
  continueWithHumanInput,
  conversationOf,
  runWithHumanInput,
  type HumanRunOptions,
} from './human/run.ts';
