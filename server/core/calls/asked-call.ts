import type { StepRisk } from '../../../shared/act/risks.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { KeptCalls } from '../kept-calls.ts';
import type { ToolDefinition } from '../registry/definition.ts';
import type { People } from '../services.ts';
import type { ToolCall } from './call.ts';
import type { EndServices } from './call-ends.ts';
import type { Gate } from './gate.ts';

/** A call about which the gate is asked. */
export interface AskedCall {
  readonly call: ToolCall;
  readonly services: EndServices & {
    readonly gate: Gate;
    readonly people: People;
    readonly kept: KeptCalls;
    readonly server: string;
    digest(text: string): string;
  };
  readonly definition: ToolDefinition;
  /** Validated. */
  readonly args: JsonObject;
  readonly risks: readonly StepRisk[];
  /** Whether the gate is asked: `only-ask` executes nothing, and what has `passed` was allowed before. */
  readonly gate: 'ask' | 'only-ask' | 'passed';
}

/** A call that comes to wait. */
export type WaitingCall = Pick<AskedCall, 'call' | 'definition' | 'args' | 'services'>;
