export const MIB = 2 ** 20;

/** Milliseconds that some work takes. */
export async function timed(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Milliseconds of each of `count` rounds, one after the other. */
export async function timedRounds(count, round) {
  const samples = [];
  for (let nth = 0; nth < count; nth++) samples.push(await timed(round));
  return samples;
}

/**
 * The value below which `share` of the samples lie, interpolated between neighbours.
 * @param {readonly number[]} samples at least one
 * @param {number} share 0 … 1
 */
export function quantile(samples, share) {
  if (samples.length === 0) throw new RangeError('A quantile of no samples');
  const sorted = [...samples].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = Math.floor(place);
  const high = Math.ceil(place);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}

/**
 * @template One
 * @param {readonly One[]} list
 * @param {(one: One) => number} of
 */
export const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);

/** @param {readonly number[]} samples */
export const median = (samples) => quantile(samples, 0.5);

/**
 * Median with the middle half, which says how noisy the machine was.
 * @param {readonly number[]} samples
 */
export function summarise(samples) {
  return {
    median: median(samples),
    low: quantile(samples, 0.25),
    high: quantile(samples, 0.75),
    runs: samples.length,
  };
}

/** `0.73`, `4.9`, `128`, `1,753`: three digits say all that a noisy machine knows. */
export function formatNumber(value) {
  const digits = Math.abs(value) < 1 ? 2 : Math.abs(value) < 10 ? 1 : 0;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** `128 ms (124–140)` */
export function formatSummary({ median: middle, low, high }, unit) {
  return `${formatNumber(middle)} ${unit} (${formatNumber(low)}–${formatNumber(high)})`;
}

/** `84 MiB`; `–` where the system does not tell. */
export function formatMebibytes(bytes) {
  return bytes === null || Number.isNaN(bytes) ? '–' : `${formatNumber(bytes / MIB)} MiB`;
}
