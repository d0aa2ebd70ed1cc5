import { z } from 'zod';
import { READS_TAB } from '../core/policy/risks.ts';
import { Caller } from '../core/policy/call-facts.ts';
import { urlForms } from '../base/url-glob.ts';
import { Download, DOWNLOADS_NAMED } from '../core/downloads.ts';

const text = z.string().trim().min(1).max(1_000);

export const WaitConditions = z.object({
  text: text.optional().describe('Visible text'),
  text_gone: text.optional().describe('Text that is no longer visible'),
  target: text.optional().describe('Ref or selector of a visible element: e13, css=, text=, role=, …'),
  target_gone: text.optional().describe('Ref or selector of an element that is not visible any more'),
  url: text.optional().describe('Part of the URL, or a glob with *'),
  load: z.literal(true).optional().describe('The page has loaded'),
  download: z.literal(true).optional().describe('Downloads since your last act have ended, one completed'),
  network_idle: z.literal(true).optional().describe('No requests for 500 ms'),
});
export type WaitConditions = z.infer<typeof WaitConditions>;
export const CONDITION_NAMES = WaitConditions.keyof().options;

/** The addresses that a `url` stands for: those with this part, or with `*`, which matches any characters. */
export function addressPattern(wanted: string): RegExp {
  const isGlob = wanted.includes('*');
  const start = isGlob && (wanted.includes('://') || wanted.startsWith('*')) ? '^' : '';
  const forms = urlForms(wanted);
  const sources = forms.map((form) => {
    const parts = form.split(/\*+/).map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
    return `${start}${parts.join('.*')}${isGlob ? '$' : ''}`;
  });
  // Percent-encoding has both cases.
  return new RegExp(sources.join('|'), isGlob || !forms.includes(wanted) ? 'i' : '');
}

/** The same between server and browser, including the conditions of `navigate` and `read_page`. */
const AwaitedConditions = WaitConditions.extend({
  /** Only CSS, for a rendered element. */
  selector: z.string().optional(),
  /** Compared as it is. */
  text: z.string().optional(),
});
export const AWAITED_NAMES = AwaitedConditions.keyof().options;

export const methods = {
  /** Waits until all or any of the conditions are met, or until the time limit, which is not a failure. */
  'page.await': {
    policy: READS_TAB,
    params: z.object({
      tab_id: z.int(),
      caller: Caller,
      conditions: AwaitedConditions,
      mode: z.enum(['all', 'any']),
      timeout_ms: z.int().min(0),
    }),
    result: z.object({
      is_over: z.boolean(),
      /** Names of the conditions that are met. */
      met: z.array(z.string()),
      missing: z.array(z.string()),
      waited_ms: z.int().min(0),
      url: z.string(),
      /** How many hidden elements match a missing target; null if it is not one. */
      hidden: z.int().nullable(),
      /** Lines that match; at the end of the time, the nearest ones to a missing text. */
      nearest: z.array(z.string()),
      /** Those that the tab began since the session's last act in it, if the wait includes a download. */
      downloads: z.array(Download).max(DOWNLOADS_NAMED),
      /** Addresses of pending requests, at most five. */
      under_way: z.array(z.string()),
    }),
  },
} as const;
