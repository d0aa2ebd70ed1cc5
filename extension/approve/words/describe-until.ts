import type { ShownTakeover } from '../protocol.ts';
import { quote, type Quote, type Sentence } from './sentence.ts';
import type { Strings } from './strings.ts';

const NAMES = ['text', 'text_gone', 'target', 'target_gone', 'url'] as const;

/** What ends a take-over, in words: what the page shows, and the person's click. */
export function describeUntil(
  until: ShownTakeover['until'],
  { takeover: { until: words } }: Strings,
): readonly Sentence[] {
  if (until === null) return [words.click];
  const holds = NAMES.flatMap((name): Sentence[] => {
    const wanted = until[name];
    const write: (what: Quote) => Sentence = words[name];
    return wanted === undefined ? [] : [write(quote(wanted))];
  });
  const join = until.mode === 'any' ? words.any : words.all;
  return [...holds.map((one, at) => (at === 0 ? one : [...join, ...one])), words.orClick];
}
