/** `import { createSpillway } from 'spillway'`: Spillway without a wire, for programs. */
export { createSpillway, type NewSessionOptions, type Spillway } from './spillway.ts';
export {
  createToolSelector,
  type OwnToolSelector,
  type ToolSelectorOptions,
  type ToolSelectorRequest,
} from '../find-tools/index.ts';
export type {
  RankTools,
  SelectableTool,
  Selection,
  SelectionMessage,
  SelectionRequest,
  SelectionStrategy,
  ToolSelector,
} from '../core/registry/selector.ts';
export type { LaunchOptions, SpillwayOptions } from './options.ts';
export type {
  CallOptions,
  CallResult,
  ListedTool,
  OutputFields,
  SelectedTools,
  SelectOptions,
  SpillwaySession,
  ToolArgs,
  TypedTools,
} from './types.ts';
export type { SpillingTool, ToolName } from '../../shared/core/tools/index.ts';
export { SpillwayError, type ErrorCode, type WireError } from '../../shared/base/errors.ts';
export type { OutputDescriptor } from '../../shared/core/descriptor.ts';
export type { ContentBlock, PendingInteraction } from '../core/result.ts';
export type { Decision, Gate, GateDecision, GatedCall } from '../core/calls/prepare.ts';
export type { StepRisk } from '../../shared/core/policy/call-risks.ts';
export type { Risk } from '../../shared/core/policy/risks.ts';
export type { OwnAnswer, OwnTool, Progress, StepContext } from '../core/context.ts';
export type { LogSink } from '../core/services.ts';
export {
  createContinueHandler,
  createHumanInput,
  type Continue,
  type ContinueHandlerOptions,
  type HumanInputOptions,
} from './continue-handler.ts';
export {
  ContinuePayloadSchema,
  HUMAN_INTERACTION_TOOL_NAME,
  humanInputSchema,
  humanInteractionToolDefinition,
  PendingHumanInputActionSchema,
  UserInputSchema,
  type ContinuePayload,
  type HumanInputRequest,
  type PendingHumanInputAction,
  type UserInput,
} from '../people/human-contract.ts';
export type { HumanInput } from '../people/human-input.ts';
export { configSchema, type UpstreamEntryInput } from '../upstreams/config.ts';
export {
  createMixedToolsClient,
  type MixedServer,
  type MixedTool,
  type MixedToolSchema,
  type MixedToolsClient,
  type MixedToolsOptions,
  type MixedToolsSelection,
} from './mixed-tools.ts';
