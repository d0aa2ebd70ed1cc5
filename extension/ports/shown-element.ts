import { z } from 'zod';

/** An element of a call as a card shows it: its name, and its destination according to the page. */
export const ShownElement = z.object({
  /** A page's tool has the longest. */
  line: z.string().max(2_000),
  leads: z
    .object({
      how: z.enum(['form', 'link']),
      url: z.string().max(500),
      method: z.string().max(20).optional(),
      hidden: z.string().max(50).optional(),
    })
    .nullable(),
  isPassword: z.boolean().optional(),
});
export type ShownElement = z.infer<typeof ShownElement>;

/** By the call's names for its targets. */
export type ShownElements = Readonly<Record<string, ShownElement>>;

/**
 * Whether an element is still the one that a person was shown.
 * @param hasBegun pages copy an act's values into hidden fields, which therefore count only before it begins
 */
export const isAsSeen = (a: ShownElement, b: ShownElement, hasBegun: boolean): boolean =>
  a.line === b.line &&
  (a.isPassword ?? b.isPassword) === (b.isPassword ?? a.isPassword) &&
  leadOf(a, hasBegun) === leadOf(b, hasBegun);

function leadOf({ leads }: ShownElement, hasBegun: boolean): string {
  if (leads === null) return '';
  const { how, url, method, hidden } = leads;
  return JSON.stringify([how, url, method, hasBegun ? null : hidden]);
}

/** The key of the form that a call submits without naming it. */
export const THE_FORM = 'the form';
