import type { RunProgress } from './runs.ts';
import type { ClientSession, Progress } from './context.ts';
import type { ToolResult } from './result.ts';
import type { JournalEntry } from './services.ts';
import type { MeterReading } from '../../shared/bridge/meter.ts';
import type { CleanText } from '../redact/clean.ts';

export interface FeedCall {
  readonly callId: string;
  readonly tool: string;
  readonly session: Pick<ClientSession, 'id' | 'name' | 'version' | 'signal' | 'picks'>;
}

/** Costs next to nothing while nobody looks. */
export interface Feed {
  /** @param entry what the journal would have of it so far; asked for only while somebody looks */
  begun(call: FeedCall, entry: () => JournalEntry): void;
  progress(call: FeedCall, progress: Progress): void;
  /**
   * @param result its answer, kept by reference for people who open the panel later
   * @param sizeBytes of its content
   */
  ended(call: FeedCall, result: ToolResult, sizeBytes: number): void;
  run(run: {
    readonly runId: string;
    readonly tool: string;
    readonly progress: RunProgress;
    readonly items: number;
  }): void;
}

export interface MeteredCall {
  readonly tool: string;
  readonly args: unknown;
  readonly session: ClientSession;
}

export interface Meter {
  /** @throws SpillwayError `budget_exceeded` for a session that has used all of its budget */
  check(session: ClientSession): void;
  /**
   * The sentence that warns a session that has used most of its budget. Null before that, and after the
   * warning was sent.
   */
  warning(session: ClientSession): CleanText | null;
  /** Counts a call's answer, once. A browser's question does not count as an answer. */
  countAnswer(call: MeteredCall, result: ToolResult): void;
  /** Counts other texts sent to a session: the list of tools, a resource. */
  countSent(
    session: ClientSession,
    what: 'tools/list' | 'resources/read' | 'prompts/get',
    text: string,
  ): void;
  of(session: ClientSession): Pick<MeterReading['sessions'][number], 'figures' | 'budget'>;
}
