import type { PageFacts } from '../../../shared/bridge/page.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import type { ExtractRequest } from '../../../shared/extract/request.ts';
import type { NextPage } from '../../../shared/tools/extract_data/methods.ts';
import type { ExtractSummary } from './engine.ts';

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
  /** Asks the page for more: scrolls on, or clicks. Answered by `measured` as it was before. */
  | { readonly type: 'more'; readonly id: number; readonly click: string | null }
  /** What the page looks like now; `nudge` scrolls away from its end, or back to it. */
  | { readonly type: 'measure'; readonly id: number; readonly nudge: 'away' | 'back' | null };

export interface ExtractDone {
  readonly page: PageFacts;
  readonly summary: ExtractSummary;
  readonly next: NextPage | null;
}

export type FromExtract =
  | { readonly type: 'started'; readonly id: number }
  | { readonly type: 'part'; readonly id: number; readonly text: string; readonly done: ExtractDone | null }
  | { readonly type: 'measured'; readonly id: number; readonly state: string }
  | { readonly type: 'failed'; readonly id: number; readonly code: ErrorCode; readonly message: string };
