import { z } from 'zod';
import { JsonRecord } from '../../../shared/json-schema.ts';
import type { CallContext } from '../../core/context.ts';
import type { LargePassed } from '../source.ts';
import type { LargeAnswer } from '../spool.ts';

const Answer = z.object({
  content: z.array(JsonRecord).default([]),
  structuredContent: z.union([JsonRecord, z.string()]).optional(),
  isError: z.boolean().default(false),
});

/** The answer of a tool whose large values are on disk, until the call has ended. */
export function largePassed(large: LargeAnswer, answer: object, context: CallContext): LargePassed {
  context.registerAfterCompletion(() => large.remove());
  return { large: Answer.parse(answer), values: large.values };
}
