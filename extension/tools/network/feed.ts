import type { CaptureSource } from '../../../shared/tools/network/methods.ts';
import type { z } from 'zod';

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
