const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `1.2 MB`, in steps of 1,000. */
export function formatBytes(sizeBytes: number): string {
  let value = Math.max(0, sizeBytes);
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${NUMBER.format(value)} ${UNITS[unit] ?? ''}`;
}
