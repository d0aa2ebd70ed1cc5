/** `spillway/ai-sdk`: Spillway's tools for the Vercel AI SDK. */
export { stopRequested, toAiSdkTools, type AiSdkOptions } from './tools.ts';
export { rankWithModel, selectTools, type SelectToolsOptions } from './tools.ts';
export { ToolCallError, type ToolOutput } from '../model-output.ts';
export { isPendingHumanInput, runWithHumanInput } from './human/stream.ts';
export { closeOpenCalls } from './human/resume.ts';
export { conversationOf, createHumanLoop, type HumanLoop, type HumanLoopOptions } from './human/run.ts';
export {
  createHumanStream,
  type HumanInputPart,
  type HumanStream,
  type HumanStreaming,
  type HumanStreamOptions,
} from './human/stream.ts';
