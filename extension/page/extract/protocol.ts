import type { Coverage, PageFacts } from '../../../shared/bridge/page.ts';
import type { ExtractRequest } from '../../../shared/extract/plan.ts';
import type { TriedStrategy } from '../../../shared/extract/request.ts';
import type { NextPage } from '../../../shared/tools/extract_data/methods.ts';
import type { Failure } from '../protocol.ts';

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
  /** What the page looks like now. */
  | { readonly type: 'measure'; readonly id: number };

/** What is known once the records were taken. */
export interface ExtractSummary {
  readonly coverage: readonly Coverage[];
  readonly tried: readonly TriedStrategy[];
  /** Invisible records that were omitted. */
  readonly hiddenRecords: number;
  /** Documents that were searched. */
  readonly frames: number;
}

export interface ExtractDone {
  readonly page: PageFacts;
  readonly summary: ExtractSummary;
  readonly next: NextPage | null;
}

export type FromExtract =
  | { readonly type: 'started'; readonly id: number }
  | { readonly type: 'part'; readonly id: number; readonly text: string; readonly done: ExtractDone | null }
  | { readonly type: 'measured'; readonly id: number; readonly state: string }
  | Failure;
