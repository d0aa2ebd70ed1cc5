import * as z from 'zod/mini';
import type { Coverage, PageFacts } from '../../../shared/bridge/page.ts';
import { ExtractRequest, STRATEGIES } from '../../../shared/extract/plan.ts';
import type { TriedStrategy } from '../../../shared/extract/request.ts';
import type { NextPage } from '../../../shared/tools/extract_data/methods.ts';
import { Facts, Failed, Notes, type Failure } from '../protocol.ts';

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

/** What is known once the records were taken. */
export interface ExtractSummary {
  readonly coverage: readonly Coverage[];
  readonly tried: readonly TriedStrategy[];
  /** Records that nobody sees, and that were left out. */
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

// ---- the same as schemas, which the receiving end of the port parses with ---------------------------

const Id = z.int();

export const ToExtract = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('extract'),
    id: Id,
    request: ExtractRequest,
    next: z.optional(z.nullable(z.string())),
  }),
  z.object({ type: z.enum(['pull', 'cancel']), id: Id }),
  z.object({ type: z.literal('more'), id: Id, click: z.nullable(z.string()) }),
  z.object({ type: z.literal('measure'), id: Id, nudge: z.nullable(z.enum(['away', 'back'])) }),
]) satisfies z.ZodMiniType<ToExtract>;

const Done = z.object({
  page: Facts,
  summary: z.object({
    coverage: Notes,
    tried: z.array(
      z.object({ strategy: z.enum(STRATEGIES), records: z.int(), coverage: z.number() }),
    ) satisfies z.ZodMiniType<TriedStrategy[]>,
    hiddenRecords: z.int(),
    frames: z.int(),
  }),
  next: z.nullable(z.object({ url: z.nullable(z.string()), selector: z.string(), text: z.string() })),
});

export const FromExtract = z.discriminatedUnion('type', [
  z.object({ type: z.literal('part'), id: Id, text: z.string(), done: z.nullable(Done) }),
  z.object({ type: z.literal('started'), id: Id }),
  z.object({ type: z.literal('measured'), id: Id, state: z.string() }),
  Failed,
]) satisfies z.ZodMiniType<FromExtract>;
