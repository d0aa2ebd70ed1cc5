import type * as z from 'zod/mini';
import type * as messages from '../../core/ports/page-messages.ts';
import type { Sent } from '../../core/ports/page-messages.ts';
import type { ExtractRequest } from '../../../shared/libraries/values/plan.ts';

/**
 * Messages between worker and extraction script. As in a reading, the page starts at once, sends the first part unasked
 * and each further one for a `pull`.
 */
export const EXTRACT_PORT = 'spillway.extract';

/** Longest `part`, in UTF-16 code units. */
export const PART_UNITS = 256 * 1024;

export type ToExtract =
  | {
      readonly type: 'extract';
      readonly id: number;
      readonly request: ExtractRequest;
      /** Undefined: not requested. */
      readonly next?: string | null | undefined;
    }
  | { readonly type: 'pull'; readonly id: number }
  | { readonly type: 'cancel'; readonly id: number }
  /** Loads more by a click. Answered by `measured` with the state before it. */
  | { readonly type: 'click'; readonly id: number; readonly selector: string }
  | { readonly type: 'measure'; readonly id: number };

export type ExtractSummary = Sent<z.infer<typeof messages.ExtractSummary>>;
export type ExtractDone = Sent<z.infer<typeof messages.ExtractDone>>;
export type FromExtract = Sent<z.infer<typeof messages.FromExtract>>;
