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

/** What sessions are answered, and what they may still be (`server/meter`). */
export interface Meter {
  /** @throws SpillwayError `budget_exceeded` for a session that has used all of its budget */
  check(session: ClientSession): void;
  /** The sentence that warns a session that has used most of its budget. Null before, and once it was said. */
  warning(session: ClientSession): CleanText | null;
  /** A {@link warning} did not arrive: it is said again. */
  unsaid(session: ClientSession): void;
  /** Counts the answer of a call, each answer once. A question that a browser asks is not an answer yet. */
  answered(call: MeteredCall, result: ToolResult): void;
  /** Counts what a session was sent besides answers: the list of tools, a resource. */
  sent(session: ClientSession, what: 'tools/list' | 'resources/read' | 'prompts/get', text: string): void;
  of(session: ClientSession): SessionMeter;
}
