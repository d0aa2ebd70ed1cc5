/** `spillway/ai-sdk`: Spillway's tools for the Vercel AI SDK. */
export { stopRequested, toAiSdkTools, type AiSdkOptions } from './tools.ts';
export { rankWithModel, selectTools, type SelectToolsOptions } from './tools.ts';
export { ToolCallError, type ToolOutput } from '../../library/model-output.ts';
export { closeOpenCalls } from './human/resume.ts';
export {
  conversationOf,
  createHumanLoop,
  createHumanStream,
  isPendingHumanInput,
  runWithHumanInput,
  type HumanInputPart,
  type HumanLoop,
  type HumanLoopOptions,
  type HumanStream,
  type HumanStreaming,
  type HumanStreamOptions,
} from './human/run.ts';
