import type { MeterFigures, SessionBudget } from '../../shared/bridge/meter.ts';
import type { CleanText } from '../redact/clean.ts';
import type { ClientSession } from './context.ts';
import type { ToolResult } from './result.ts';

export interface MeteredCall {
  readonly tool: string;
  readonly args: unknown;
  readonly session: ClientSession;
}

interface SessionMeter {
  readonly figures: MeterFigures;
  /** Null without a budget. */
  readonly budget: SessionBudget | null;
}

export interface Meter {
  /** @throws SpillwayError `budget_exceeded` for a session that has used all of its budget */
  check(session: ClientSession): void;
  /** The sentence that warns a session that has used most of its budget. Null before that, and after the warning was sent. */
  warning(session: ClientSession): CleanText | null;
  /** A {@link warning} did not arrive: the next answer repeats it. */
  unsaid(session: ClientSession): void;
  /** Counts the answer of a call, each answer once. A question that a browser asks is not an answer yet. */
  answered(call: MeteredCall, result: ToolResult): void;
  /** Counts other texts sent to a session: the list of tools, a resource. */
  sent(session: ClientSession, what: 'tools/list' | 'resources/read' | 'prompts/get', text: string): void;
  of(session: ClientSession): SessionMeter;
}
