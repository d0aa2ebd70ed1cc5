import { isObject } from '../../shared/json.ts';
import type { ActSpan } from '../core/acts.ts';
import type { NetworkEntry } from '../core/network.ts';
import { memberOf } from './members.ts';

/**
 * A test of whether a request was caused by an act: it began during the act, or something that the act loaded made it
 * before the tab was acted on again. Has to be asked of all entries in the order in which they began.
 */
export function causedBy({ startedAt, endedAt, nextAt }: ActSpan): (entry: NetworkEntry) => boolean {
  const loaded = new Set<string>();
  return (entry) => {
    const at = Date.parse(entry.startedDateTime);
    const isDuring = at >= startedAt && at <= endedAt;
    const isAfter = at > endedAt && (nextAt === null || at < nextAt);
    if (!isDuring && !(isAfter && initiatorsOf(entry).some((url) => loaded.has(url)))) return false;
    const url = memberOf(entry, 'request')['url'];
    if (typeof url === 'string') loaded.add(url);
    return true;
  };
}

/** Addresses of the document and the scripts that made a request. */
export function initiatorsOf(entry: NetworkEntry): string[] {
  const initiator = memberOf(entry, '_initiator');
  const frames = memberOf(initiator, 'stack')['callFrames'];
  const urls = [
    initiator['url'],
    ...(Array.isArray(frames) ? frames.map((frame) => (isObject(frame) ? frame['url'] : undefined)) : []),
  ];
  return urls.filter((url) => typeof url === 'string');
}
