import type { JsonObject } from '../../shared/json.ts';
import type { CallContext } from './context.ts';
import type { ToolResult } from './result.ts';

/** The call on whose behalf another is made: that of a recipe, or the one that started a program. */
export type NestedContext = Pick<CallContext, 'callId' | 'session' | 'signal' | 'step'> &
  Partial<Pick<CallContext, 'askPerson' | 'rank' | 'selector'>>;

/** A call that a recipe or a program makes. */
interface NestedCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly callId: string;
  /** Of which it is a step: the name of a recipe, or `script`. */
  readonly recipe: string;
  readonly context: NestedContext;
  /** Called when a person is asked about it. */
  readonly onAsk: () => void;
}

/** Executes a call to its end, however long a person takes to allow it. */
export type CallTool = (call: NestedCall) => Promise<ToolResult>;
