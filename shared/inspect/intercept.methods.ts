import { z } from 'zod';
import { textsOf } from '../base/cut.ts';
import type { Risk } from '../core/policy/risks.ts';
import { Caller } from '../core/policy/call-facts.ts';

const Headers = z.record(z.string(), z.string());

const Act = z.object({
  block: z.boolean(),
  delay_ms: z.int(),
  /** An answer that replaces the server's; its body is base64. */
  answer: z
    .object({
      status: z.int(),
      /** The browser refuses an answer without one, and knows those of few codes. */
      phrase: z.string().default('Unknown'),
      headers: Headers,
      body: z.string(),
    })
    .nullable(),
  /** Replaces the request's own header; null removes it. */
  headers: z.record(z.string(), z.string().nullable()).nullable(),
  /** For HTTP authentication. `sites`: where the values may go; empty for the sites of the rule. */
  login: z.object({ username: z.string(), password: z.string(), sites: z.array(z.string()) }).nullable(),
});

export const Rule = z.object({ id: z.string(), url: z.string(), act: Act });
export type Rule = z.infer<typeof Rule>;

/** An action of a rule in words, without bodies and secrets. */
export const describeRule = ({ block, delay_ms: delayMs, answer, headers, login }: Rule['act']): string =>
  textsOf(
    delayMs > 0 && `delay ${delayMs} ms`,
    block && 'block',
    answer !== null && `answer ${answer.status}`,
    headers !== null && `headers ${Object.keys(headers).join(', ')}`,
    login !== null && 'login',
  ).join(', ');

/** An answer or headers decide what runs in a page and who it is. */
export function risksOfRule(
  rule: Readonly<Record<'answer' | 'headers' | 'login', unknown>>,
): readonly Risk[] {
  if (rule.answer != null || rule.headers != null) return ['evaluate'];
  return rule.login != null ? ['input', 'submit'] : ['navigate'];
}

export const methods = {
  /** Adds to a session's rules for a tab, or removes some, and reports how often each was applied. */
  'tab.intercept': {
    policy: { judged: 'tab', risks: ['read'] },
    params: z.object({
      tab_id: z.int(),
      caller: Caller,
      add: Rule.nullable(),
      /** Ids. */
      remove: z.array(z.string()).nullable(),
    }),
    result: z.object({ rules: z.array(z.object({ id: z.string(), hits: z.int().min(0) })) }),
  },
} as const;
