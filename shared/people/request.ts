import { z } from 'zod';
import { FormSchema, TakeoverMs, TakeoverUntil } from './takeover.ts';
import { tabField } from '../core/tools/manifest.ts';

const Where = z.string().trim().min(1).max(200);

export const humanInputSchema = z
  .strictObject({
    type: z
      .enum(['approval', 'text', 'choice', 'form', 'takeover'])
      .describe('The kind of answer: yes or no, a text, a choice, a form. takeover: they do it in a tab'),
    message: z
      .string()
      .trim()
      .min(1)
      .max(4_000)
      .describe('The question, with everything that the person needs to answer it'),
    choices: z.array(z.string().trim().min(1).max(200)).min(2).max(50).optional().describe('For a choice'),
    schema: FormSchema.optional().describe('For a form: JSON Schema of an object of scalars'),
    where: Where.optional().describe('Where to ask, such as a channel'),
    tab: tabField.optional().describe('For a takeover: the tab'),
    until: TakeoverUntil.optional().describe('For a takeover: done once the page shows this'),
    timeout_ms: TakeoverMs.optional().describe('For a takeover: time limit, 10 minutes by default'),
  })
  .refine(({ type, choices }) => type !== 'choice' || choices !== undefined, {
    path: ['choices'],
    message: 'a choice needs choices',
  })
  .refine(({ type, schema }) => type !== 'form' || schema !== undefined, {
    path: ['schema'],
    message: 'a form needs a schema',
  })
  .refine(({ type, until, timeout_ms: limit }) => type === 'takeover' || (until ?? limit) === undefined, {
    path: ['type'],
    message: 'until and timeout_ms are for a takeover',
  });

/** A question of a model. */
export type HumanInputRequest = z.infer<typeof humanInputSchema>;
