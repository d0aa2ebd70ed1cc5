import type { JsonObject } from '../../shared/json.ts';
import type { CallContext } from './context.ts';

/** What a tool of a caller's own answered, in whatever form its adapter has. */
export interface OwnAnswer {
  readonly value: unknown;
  /** It failed, and the value says how. */
  readonly isError?: boolean;
}

/** A tool of a caller's own: known to one session, and called through the gate, the journal and the redactor. */
export interface OwnTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Whether it changes nothing. Default: it may change anything. */
  readonly isReadOnly?: boolean | undefined;
  /** @throws whatever it throws becomes a coded failure */
  run(args: JsonObject, context: Pick<CallContext, 'callId' | 'signal' | 'progress'>): Promise<OwnAnswer>;
}
