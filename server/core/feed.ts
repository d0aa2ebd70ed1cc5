import type { RunProgress } from './runs.ts';
import type { ClientSession, Progress } from './context.ts';
import type { ToolResult } from './result.ts';
import type { JournalEntry } from './services.ts';

export interface FeedCall {
  readonly callId: string;
  readonly tool: string;
  readonly session: Pick<ClientSession, 'id' | 'name' | 'version' | 'signal'>;
}

/** Next to nothing while nobody looks. */
export interface Feed {
  /** @param entry what the journal would have of it so far; asked for only while somebody looks */
  begun(call: FeedCall, entry: () => JournalEntry): void;
  progress(call: FeedCall, progress: Progress): void;
  /**
   * @param result what it was answered, kept by reference for people who look later
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
