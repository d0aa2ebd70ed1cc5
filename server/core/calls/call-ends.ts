import type { StepRisk } from '../../../shared/act/risks.ts';
import { type SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { cancellation, type ToolCall } from './call.ts';
import { begunEntry, journalEntry } from './call-journal.ts';
import { presentFailure } from './delivery.ts';
import { failureResult, stackOf } from './call-results.ts';
import { callLogger } from '../log-feed.ts';
import type { Feed } from '../feed.ts';
import type { ToolAudience } from '../registry/definition.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import type { ToolResult } from '../result.ts';
import type { Journal, Logger, Redactor } from '../services.ts';

/** What the end of a call needs of the rest of the server. */
export interface EndServices {
  readonly journal: Pick<Journal, 'record'>;
  readonly feed: Feed;
  readonly logger: Logger;
  readonly redactor: Redactor;
}

/** How calls end: failures as the mode sends those of the call's tool, and the line of the journal. */
export class CallEnds {
  readonly #registry: ToolRegistry;
  readonly #redactor: Redactor;

  constructor(registry: ToolRegistry, redactor: Redactor) {
    this.#registry = registry;
    this.#redactor = redactor;
  }

  /** The failure of a call, redacted: services may be what failed. */
  failure({ tool }: ToolCall, error: SpillwayError, state?: JsonObject): ToolResult {
    return presentFailure(failureResult(error, this.#redactor, state), this.#registry.find(tool));
  }

  /** What threw while it worked for a call: coded, logged where it is a defect, and redacted. */
  thrown(
    { call, services }: { readonly call: ToolCall; readonly services: EndServices },
    thrown: unknown,
    state: JsonObject = {},
  ): ToolResult {
    const error = call.signal.aborted ? cancellation(call.signal.reason) : toSpillwayError(thrown);
    if (error.code === 'internal_error') {
      const stack = stackOf(thrown) ?? error.message;
      callLogger(services.logger, call).error({ stack }, 'call failed');
    }
    return this.failure(call, error, state);
  }

  /** Tells people at the browsers. Arguments that cannot be looked at are the journal's to report. */
  begun({ call, services }: { readonly call: ToolCall; readonly services: EndServices }): void {
    services.feed.begun(call, () => begunEntry(call, this.#audienceOf(call)));
  }

  journal(
    { call, services }: { readonly call: ToolCall; readonly services: EndServices },
    result: ToolResult,
    how: {
      readonly durationMs?: number;
      readonly approvedBy?: string | undefined;
      readonly risks?: readonly StepRisk[];
    } = {},
  ): void {
    const audience = this.#audienceOf(call);
    const entry = journalEntry(call, result, { durationMs: 0, risks: [], ...how, audience });
    services.journal.record(entry);
    services.feed.ended(call, result, entry.content_bytes);
  }

  #audienceOf({ tool }: ToolCall): ToolAudience {
    return this.#registry.find(tool)?.row.audience ?? 'model';
  }
}
