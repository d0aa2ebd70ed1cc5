import { z } from 'zod';

/** Longest text of a page that a card shows of an element, a dialog or a tool. */
export const SHOWN_UNITS = 20_000;

/** The files that a field asks for, in its own words. */
const FileNeeds = z.object({
  accept: z.string().max(2_000),
  isMultiple: z.boolean(),
  isFolder: z.boolean(),
});

/** An element of a call as a card shows it: its name, and its destination according to the page. */
export const ShownElement = z.object({
  /** A dialog has the longest. */
  line: z.string().max(SHOWN_UNITS),
  /** The same with the whole name, if the line has only its beginning. */
  whole: z.string().max(SHOWN_UNITS).optional(),
  /** The JSON Schema of a page's tool. */
  schema: z.string().max(SHOWN_UNITS).optional(),
  leads: z
    .object({
      how: z.enum(['form', 'link']),
      url: z.string().max(500),
      method: z.string().max(20).optional(),
      hidden: z.string().max(50).optional(),
    })
    .nullable(),
  isPassword: z.boolean().optional(),
  /** Of a file field: what it takes. */
  files: FileNeeds.optional(),
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
  a.whole === b.whole &&
  a.schema === b.schema &&
  (a.isPassword ?? b.isPassword) === (b.isPassword ?? a.isPassword) &&
  leadOf(a, hasBegun) === leadOf(b, hasBegun);

function leadOf({ leads }: ShownElement, hasBegun: boolean): string {
  if (leads === null) return '';
  const { how, url, method, hidden } = leads;
  return JSON.stringify([how, url, method, hasBegun ? null : hidden]);
}
