import { LIMITS } from '../../shared/limits.ts';
import type { BodyChoice } from '../../shared/tools/network/body-choice.ts';
import type { ClientCaptures, Subscription } from './client-captures.ts';
import type { SliceFacts } from './slice.ts';

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** Entries that a note names; the others say it themselves. */
const NAMED = 8;

/** The first names of a list, and whether there are more. */
function someOf(names: readonly string[]): string {
  const more = names.length > NAMED ? ['…'] : [];
  return [...names.slice(0, NAMED), ...more].join(', ');
}

function ofCut({ cut }: SliceFacts, bodyBytes: number): string[] {
  if (cut.length === 0) return [];
  const named = someOf(cut);
  const most = LIMITS.networkBodyBytesMax;
  const how =
    bodyBytes < most ? `start the server with a larger --network-body-bytes, up to ${most}` : 'fetch the URL';
  return [`too_large: the body of ${named} is over --network-body-bytes (${bodyBytes}); ${how}.`];
}

function ofSlice(facts: SliceFacts, bodies: BodyChoice): string[] {
  const { pending, messages, missing, webRequests } = facts;
  const reasons = [...missing].map(([reason, number]) => `${number} ${reason}`);
  const total = [...missing.values()].reduce((sum, number) => sum + number, 0);
  return [
    ...(pending > 0 ? [`${count(pending, 'request is', 'requests are')} still pending (_pending).`] : []),
    ...(total > 0 ? [`${count(total, 'body is', 'bodies are')} missing: ${reasons.join(', ')}.`] : []),
    ...(messages > 0 && bodies === 'none'
      ? [
          `${count(messages, 'message')} of WebSockets and EventSources omitted: pass bodies: "text" to see them.`,
        ]
      : []),
    ...(webRequests > 0
      ? [`${count(webRequests, 'request')} seen by webRequest: without bodies, timings and messages.`]
      : []),
  ];
}

function ofRing(client: ClientCaptures): string[] {
  const { dropped_entries: entries, dropped_bodies: bodies, max_bytes: maxBytes } = client.ring.facts;
  const error = client.ring.diskError;
  return [
    ...(entries + bodies > 0
      ? [
          `The buffer of ${maxBytes} bytes (--network-buffer-bytes) has dropped ${count(entries, 'request')} and the bodies of ${bodies}, oldest first.`,
        ]
      : []),
    ...(error === null ? [] : [`${error.code}: ${error.message}`]),
  ];
}

const LEFT = {
  ask: 'a person has to allow it. Call network with action "start" while the tab shows that site; they are asked then',
  deny: 'a rule denies it',
} as const;

function ofSites(
  tab: string,
  sites: readonly (readonly [string, string])[],
  effect: 'ask' | 'deny',
): string[] {
  const origins = sites.filter(([, one]) => one === effect).map(([origin]) => origin);
  if (origins.length === 0) return [];
  return [`Tab ${tab}: requests of ${someOf(origins)} were left out, since ${LEFT[effect]}.`];
}

function ofCapture({ capture, ended }: Subscription): string[] {
  const { name, gaps, pauses, lostLines, misread, leftOut, leftSites, source } = capture;
  const sites = [...leftSites];
  const why = ended ?? capture.ended;
  return [
    ...(why === null || why === 'stopped' ? [] : [`The capture of tab ${name} ended: ${why}.`]),
    ...(gaps > 0
      ? [
          `Tab ${name}: the browser disconnected ${count(gaps, 'time')}; requests during that time are missing.`,
        ]
      : []),
    ...pauses.map(({ from, to }) => {
      const until = to === null ? 'and still has it' : `until ${new Date(to).toISOString()}`;
      return `Tab ${name}: a person took it over at ${new Date(from).toISOString()} ${until}; nothing of that time was captured.`;
    }),
    ...(lostLines > 0
      ? [`Tab ${name}: ${count(lostLines, 'event')} lost: the server did not read fast enough.`]
      : []),
    ...(misread > 0 ? [`Tab ${name}: ${count(misread, 'event')} not understood.`] : []),
    ...(leftOut > 0
      ? [`Tab ${name}: ${count(leftOut, 'request')} could not be redacted and were omitted.`]
      : []),
    ...ofSites(name, sites, 'ask'),
    ...ofSites(name, sites, 'deny'),
    ...(source === 'web_request'
      ? [`Tab ${name}: no debugger can attach; captured by webRequest, bodies are missing.`]
      : []),
  ];
}

/** Short sentences on what a slice does not hold. */
export function describeCoverage(about: {
  readonly client: ClientCaptures;
  readonly parts: readonly Subscription[];
  /** Tabs that did not answer in time. */
  readonly late: readonly string[];
  readonly facts: SliceFacts;
  readonly bodies: BodyChoice;
  /** The largest body that is kept. */
  readonly bodyBytes: number;
}): string[] {
  const { client, parts, late, facts, bodies, bodyBytes } = about;
  return [
    ...late.map(
      (tab) => `Tab ${tab}: the browser did not answer in time; the newest requests may be missing.`,
    ),
    ...parts.flatMap(ofCapture),
    ...ofSlice(facts, bodies),
    ...ofCut(facts, bodyBytes),
    ...ofRing(client),
  ];
}
