/** `spillway/anthropic`: Spillway's tools for the Messages API. The caller brings the client. */
export { handleToolUse, toAnthropicTools, type HandleOptions, type OwnTool } from './tools.ts';
export {
  continueWithHumanInput,
  conversationOf,
  runToolLoop,
  runWithHumanInput,
  ToolLoop,
  type HumanRunOptions,
  type LoopEnd,
  type LoopParams,
  type ToolLoopEvent,
  type ToolLoopOptions,
} from './loop.ts';
export type { PendingToolUse } from './tools.ts';
export { closeOpenCalls, humanInteractionTool } from './conversation.ts';
