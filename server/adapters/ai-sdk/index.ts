/** `spillway/ai-sdk`: Spillway's tools for the Vercel AI SDK. */
export { stopRequested, toAiSdkTools, type AiSdkOptions } from './tools.ts';
export { ToolCallError, type ToolOutput } from './output.ts';
