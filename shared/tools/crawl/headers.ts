/** Directives that have a colon of their own; any other name before a colon is a crawler's. */
const VALUED = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);

/**
 * Directives of X-Robots-Tag that hold for everyone, lower case. Behind a crawler's name they are
 * that crawler's until the end, since several headers arrive joined.
 */
export function robotsOfHeader(header: string | null): string[] {
  const found: string[] = [];
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const directive = part.trim();
    const name = /^([\w-]+)\s*:/.exec(directive)?.[1];
    if (name !== undefined && !VALUED.has(name)) break;
    if (directive !== '') found.push(directive);
  }
  return found;
}

/** Retry-After (seconds, or a date) in milliseconds from `nowMs`; null without one that can be read. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
