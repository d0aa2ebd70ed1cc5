import type { CaptureSource } from '../../../shared/tools/network/methods.ts';
import type { z } from 'zod';
import type { BodyBudget } from './bodies.ts';
import type { CaptureFilter } from './capture-filter.ts';
import type { Outbox } from './outbox.ts';

/** What a feed works with. */
export interface FeedParts {
  readonly outbox: Outbox;
  readonly budget: BodyBudget;
  readonly filter: CaptureFilter;
}

/** Where a capture's lines come from. */
export interface CaptureFeed {
  readonly source: z.infer<typeof CaptureSource>;
  /** Aborted when there will be no more of them; its reason is coded. */
  readonly lost: AbortSignal;
  /** Resolves when the lines of what has happened so far have been pushed. */
  settle(): Promise<void>;
  /** Grows while {@link settle} gets on. */
  readonly progress: number;
  /** Observes nothing more; what has happened so far is pushed. Idempotent. */
  stopObserving(): Promise<void>;
  /** Releases the tab. Idempotent. */
  close(): Promise<void>;
}
