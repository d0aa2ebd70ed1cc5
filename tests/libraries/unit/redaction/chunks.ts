import { atOnce } from '../../../../server/core/slices.ts';
import { cleanExchange } from '../../../../server/libraries/redaction/exchange.ts';
import { Tally } from '../../../../server/libraries/redaction/tally.ts';
import type { JsonObject } from '../../../../shared/base/json.ts';
import fc from '../../../support/property.ts';
import { createRedactor } from '../../../../server/libraries/redaction/index.ts';
import type { RedactionReport } from '../../../../server/core/result.ts';

export const redactor = createRedactor({ enabled: true });

/** Cuts text at the given places, never inside a code point. */
export function cutAt(text: string, places: readonly number[]): string[] {
  const cuts = [...new Set(places.map((place) => place % (text.length + 1)))]
    .map((cut) => (cut > 0 && (text.codePointAt(cut - 1) ?? 0) > 0xffff ? cut + 1 : cut))
    .sort((a, b) => a - b);
  return [0, ...cuts].map((start, index) => text.slice(start, cuts[index] ?? text.length));
}

export async function* asStream<T>(values: readonly T[]): AsyncGenerator<T, void> {
  for (const value of values) yield value;
}

export async function redactChunks(
  chunks: readonly string[],
  { payload: clean } = redactor,
): Promise<{ text: string; report: RedactionReport; pieces: string[] }> {
  const { payload, report } = await clean({
    kind: 'text',
    mimeType: 'text/markdown',
    chunks: asStream(chunks),
  });
  if (payload.kind !== 'text') throw new Error('A text payload stays text.');
  const pieces: string[] = [];
  for await (const piece of payload.chunks) pieces.push(piece);
  return { text: pieces.join(''), report: report(), pieces };
}

export const places = fc.array(fc.nat(), { maxLength: 12 });

/** As the redactor's, at once. */
export function exchange<T extends JsonObject>(entry: T) {
  const tally = new Tally();
  return { entry: atOnce(cleanExchange(entry, tally)) as T, report: tally.report() };
}
