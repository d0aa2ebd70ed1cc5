import * as z from 'zod/mini';
import { EXTRACT_PORT, type FromExtract, type ToExtract } from '../../page/extract/protocol.ts';
import { STRATEGIES } from '../../../shared/extract/plan.ts';
import type { TriedStrategy } from '../../../shared/extract/request.ts';
import { DocumentChannels, type PageChannels } from './channels.ts';
import { Facts, Failed, Notes } from './from-page.ts';

const Id = z.int();

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

/** The schema of each message of the extraction script, for the worker. */
const FromExtractMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('part'), id: Id, text: z.string(), done: z.nullable(Done) }),
  z.object({ type: z.literal('started'), id: Id }),
  z.object({ type: z.literal('measured'), id: Id, state: z.string() }),
  Failed,
]) satisfies z.ZodMiniType<FromExtract>;

/** Channels to the extraction script, which is injected only where it is needed. */
export type ExtractChannels = PageChannels<ToExtract, FromExtract>;

export function createExtractChannels(): ExtractChannels {
  return new DocumentChannels<ToExtract, FromExtract>({
    file: 'extract.js',
    port: EXTRACT_PORT,
    schema: FromExtractMessage,
  });
}
