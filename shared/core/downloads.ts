import { z } from 'zod';
import { cut, cutUrl } from '../base/cut.ts';

const NAME_UNITS = 100;
const URL_UNITS = 150;

/** A file that a page made the browser save. Name and address come from the page. */
export const Download = z.object({
  /** The browser's suggestion: the file may be saved under another name. */
  name: z.string().max(300),
  url: z.string().max(2_000),
  state: z.enum(['in_progress', 'completed', 'interrupted']),
  /** Null if unknown. */
  received_bytes: z.number().min(0).nullable(),
  total_bytes: z.number().min(0).nullable(),
});
export type Download = z.infer<typeof Download>;

/** Maximum downloads that an answer names: the last ones. */
export const DOWNLOADS_NAMED = 20;

/** `"report.csv" is at 3 MB of 10 MB`. */
export function describeDownload(download: Download): string {
  const { name, state, received_bytes: received, total_bytes: total } = download;
  const quoted = JSON.stringify(cut(name, NAME_UNITS));
  if (state === 'completed') return `${quoted} completed${total === null ? '' : `, ${formatBytes(total)}`}`;
  const size = total === null ? '' : ` of ${formatBytes(total)}`;
  const far = received === null ? '' : ` at ${formatBytes(received)}${size}`;
  return state === 'interrupted' ? `${quoted} was interrupted${far}` : `${quoted} is${far || ' in progress'}`;
}

/** The same, and where it came from. */
export const downloadLine = (download: Download): string =>
  `download ${describeDownload(download)} ${cutUrl(download.url, URL_UNITS)}`;

/** Whether all were interrupted: none of them can complete any more. */
export const areInterrupted = (downloads: readonly Download[]): boolean =>
  downloads.length > 0 && downloads.every(({ state }) => state === 'interrupted');

/** Whether at least one has completed, and the others have ended too. */
export const haveEnded = (downloads: readonly Download[]): boolean =>
  downloads.some(({ state }) => state === 'completed') &&
  downloads.every(({ state }) => state !== 'in_progress');

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `1.2 MB`, in steps of 1,000. */
function formatBytes(sizeBytes: number): string {
  let value = Math.max(0, sizeBytes);
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${NUMBER.format(value)} ${UNITS[unit] ?? ''}`;
}
