import type * as z from 'zod/mini';
import type * as messages from '../../ports/page-messages.ts';
import type { Sent } from '../../ports/page-messages.ts';
import type { ExtractRequest } from '../../../shared/extract/plan.ts';

/**
 * What worker and extraction script say to each other. As when a page is read: the page finds at
 * once, sends the first part unasked and every further one for a `pull`.
 */
export const EXTRACT_PORT = 'spillway.extract';

/** Text of one `part` in UTF-16 code units, at most. */
export const PART_UNITS = 256 * 1024;

export type ToExtract =
  | {
      readonly type: 'extract';
      readonly id: number;
      readonly request: ExtractRequest;
      /** Undefined: not asked for. */
      readonly next?: string | null | undefined;
    }
  | { readonly type: 'pull'; readonly id: number }
  | { readonly type: 'cancel'; readonly id: number }
  /** Asks the page for more by a click. Answered by `measured` as it was before. */
  | { readonly type: 'click'; readonly id: number; readonly selector: string }
  | { readonly type: 'measure'; readonly id: number };

export type ExtractSummary = Sent<z.infer<typeof messages.ExtractSummary>>;
export type ExtractDone = Sent<z.infer<typeof messages.ExtractDone>>;
export type FromExtract = Sent<z.infer<typeof messages.FromExtract>>;
