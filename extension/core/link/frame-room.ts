import { cut } from '../../../shared/base/cut.ts';
import { LIMITS } from '../../../shared/base/limits.ts';

/** For the envelope and response around a result. */
const ENVELOPE_BYTES = 1_024;
/** Of a result as JSON. */
export const RESULT_BYTES = LIMITS.bridgeFrameBytes - ENVELOPE_BYTES;
/** Leaves space for the other members of a result. */
const MEMBER_BYTES = RESULT_BYTES - 64 * 1_024;
/** A cut looks no further back, because it takes the square of the time for a text without spaces. */
const CUT_UNITS = 8_192;

/** UTF-8 bytes of a value as JSON. */
export const jsonBytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** A text of a page, cut so that it fits into a result. */
export function cutToFrame(text: string, maxUnits = MEMBER_BYTES): string {
  if (text.length <= maxUnits && jsonBytes(text) <= MEMBER_BYTES) return text.toWellFormed();
  let [least, most] = [0, Math.min(text.length, maxUnits)];
  while (least < most) {
    const units = Math.ceil((least + most) / 2);
    if (jsonBytes(text.slice(0, units)) <= MEMBER_BYTES) least = units;
    else most = units - 1;
  }
  const from = Math.max(0, least - CUT_UNITS);
  return (text.slice(0, from) + cut(text.slice(from, least + 1), least - from)).toWellFormed();
}

/** The first items of a list that fit into a result. */
export function fittingFrame<T>(items: readonly T[]): T[] {
  let sizeBytes = 0;
  return items.filter((item) => (sizeBytes += jsonBytes(item) + 1) <= MEMBER_BYTES);
}
