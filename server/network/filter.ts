import { RE2JS } from 're2js';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { type JsonObject, type JsonValue, isObject } from '../../shared/base/json.ts';
import { RESOURCE_TYPES, type NetworkFilter } from '../../shared/network/network.manifest.ts';
import type { ActSpan } from '../core/context.ts';
import { cut } from '../../shared/base/cut.ts';
import { parseSince } from '../core/arguments.ts';
import { compileUrlPart, hasUrlPart } from '../../shared/base/url-glob.ts';
import { memberOf, type NetworkEntry } from '../libraries/har/parts.ts';
import { partToMatch } from '../core/slices.ts';

type UrlTest = (url: string) => boolean;

const REGEX = /^\/(?<source>.+)\/(?<flags>[imsu]{0,4})$/s;

/**
 * The meaning of `filter.url`: `/regex/` with flags, a glob if it has a `*` or `{a,b}`, else a part of the
 * URL. Only regular expressions are case-sensitive.
 * @throws SpillwayError `invalid_argument` for an invalid regular expression
 */
export function compileUrlPattern(pattern: string): UrlTest {
  const { source, flags } = REGEX.exec(pattern)?.groups ?? {};
  return source === undefined ? compileUrlPart(pattern) : compileRegex(source, flags ?? '');
}

/** RE2, whose time is bounded: it sees the beginning of a long address. */
function compileRegex(source: string, flags: string): UrlTest {
  const has = (flag: string, option: number): number => (flags.includes(flag) ? option : 0);
  try {
    const regex = RE2JS.compile(
      source,
      has('i', RE2JS.CASE_INSENSITIVE) | has('m', RE2JS.MULTILINE) | has('s', RE2JS.DOTALL),
    );
    return (url) => regex.matcher(partToMatch(url, regex.programSize())).find();
  } catch (cause) {
    throw new SpillwayError('invalid_argument', `filter.url: ${cut(messageOf(cause), 200)}.`, {
      hint: 'The syntax is RE2: no lookaround and no references to groups.',
      cause,
    });
  }
}

/**
 * A test of whether an act caused a request: it began during the act, or a resource that the act loaded made
 * it before the tab was acted on again. Call it for all entries in the order in which they began.
 */
export function testCausedBy({ startedAt, endedAt, nextAt }: ActSpan): (entry: NetworkEntry) => boolean {
  const loaded = new Set<string>();
  return (entry) => {
    const at = startOf(entry);
    const isDuring = at >= startedAt && at <= endedAt;
    const isAfter = at > endedAt && (nextAt === null || at < nextAt);
    if (!isDuring && !(isAfter && initiatorsOf(entry).some((url) => loaded.has(url)))) return false;
    const url = memberOf(entry, 'request')['url'];
    if (typeof url === 'string') loaded.add(url);
    return true;
  };
}

/** Addresses of the document and the scripts that made a request. */
function initiatorsOf(entry: NetworkEntry): string[] {
  const initiator = memberOf(entry, '_initiator');
  const frames = memberOf(initiator, 'stack')['callFrames'];
  const urls = [
    initiator['url'],
    ...(Array.isArray(frames) ? frames.map((frame) => (isObject(frame) ? frame['url'] : undefined)) : []),
  ];
  return urls.filter((url) => typeof url === 'string');
}

type Test = (entry: NetworkEntry) => boolean;

/** A compiled filter. */
export interface EntryFilter {
  /** Whether an entry matches, without its bodies. Ask it of all, in the order in which they began. */
  readonly head: Test;
  /** Whether a body or a message contains the text; null if the filter has none. */
  readonly bodies: ((bodies: JsonObject | null) => boolean) | null;
}

function urlOf(entry: NetworkEntry): string {
  return String(memberOf(entry, 'request')['url'] ?? '');
}

function statusOf(entry: NetworkEntry): number {
  return Number(memberOf(entry, 'response')['status'] ?? 0);
}

/** Bytes of the response's body, decoded. */
function entryBytes(entry: NetworkEntry): number {
  return Number(memberOf(memberOf(entry, 'response'), 'content')['size'] ?? 0);
}

function statusTest(statuses: string): Test {
  const tests = statuses.split(/\s*,\s*/).map(oneStatusTest);
  return (entry) => tests.some((test) => test(entry));
}

function oneStatusTest(status: string): Test {
  if (status === 'failed') return (entry) => memberOf(entry, 'response')['_error'] !== undefined;
  const [from = '', to = from] = status.split('-');
  const least = Number(from.replace('xx', '00'));
  const most = Number(to.replace('xx', '99'));
  return (entry) => statusOf(entry) >= least && statusOf(entry) <= most;
}

function typeTest(types: readonly string[]): Test {
  const wanted = new Set(types.map((type) => type.toLowerCase()));
  // One kind for callers, as in DevTools.
  if (wanted.has('xhr') || wanted.has('fetch')) for (const type of ['xhr', 'fetch']) wanted.add(type);
  const unknown = [...wanted].find((type) => !RESOURCE_TYPES.some((known) => known === type));
  if (unknown !== undefined)
    throw invalidArgument(`filter.type: "${cut(unknown, 20)}" is not one of ${RESOURCE_TYPES.join(', ')}.`);
  return (entry) => wanted.has(String(entry['_resourceType']));
}

function initiatorTest(wanted: string): Test {
  const isMeant = hasUrlPart(wanted);
  return (entry) => initiatorsOf(entry).some(isMeant);
}

/** The test of a field, if it is given. */
const given = <T>(value: T | undefined, test: (value: T) => Test): Test[] =>
  value === undefined ? [] : [test(value)];

const startOf = (entry: NetworkEntry): number => Date.parse(entry.startedDateTime);

function testsOf(filter: NetworkFilter, now: number, act: ActSpan | null): Test[] {
  const time = (name: 'since' | 'until'): number | undefined => {
    const text = filter[name];
    return text === undefined ? undefined : parseSince(text, now, `filter.${name}`);
  };
  return [
    // First, since it has to see every entry.
    ...(act === null ? [] : [testCausedBy(act)]),
    ...given(filter.id, (id) => (entry) => entry._id === id),
    ...given(
      filter.method?.toUpperCase(),
      (verb) => (entry) => memberOf(entry, 'request')['method'] === verb,
    ),
    ...given(filter.status, statusTest),
    ...given(filter.type, typeTest),
    ...given(time('since'), (from) => (entry) => startOf(entry) >= from),
    ...given(time('until'), (to) => (entry) => startOf(entry) <= to),
    ...given(filter.initiator, initiatorTest),
    ...given(filter.min_bytes, (least) => (entry) => entryBytes(entry) >= least),
    ...given(filter.max_bytes, (most) => (entry) => entryBytes(entry) <= most),
    ...given(filter.url, (pattern) => {
      const test = compileUrlPattern(pattern);
      return (entry) => test(urlOf(entry));
    }),
  ];
}

function holdsText(value: JsonValue | undefined, part: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(part);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) => holdsText(member, part));
}

/** Text of bodies and messages, without their types and the places of parameters. */
function bodiesTest(text: string): (bodies: JsonObject | null) => boolean {
  const part = text.toLowerCase();
  return (bodies) => {
    if (bodies === null) return false;
    const postData = memberOf(memberOf(bodies, 'request'), 'postData');
    const content = memberOf(memberOf(bodies, 'response'), 'content');
    const isText = content['encoding'] === undefined;
    return (
      holdsText(postData['text'], part) ||
      (isText && holdsText(content['text'], part)) ||
      holdsText(bodies['_webSocketMessages'], part) ||
      holdsText(bodies['_eventSourceMessages'], part)
    );
  };
}

/**
 * Compiles a filter: entries have to match all of its fields.
 * @param now milliseconds since the epoch, for ages
 * @param act whose requests are requested; null for all
 * @throws SpillwayError `invalid_argument` that names the field
 */
export function compileFilter(filter: NetworkFilter, now: number, act: ActSpan | null = null): EntryFilter {
  const tests = testsOf(filter, now, act);
  return {
    head: (entry) => tests.every((test) => test(entry)),
    bodies: filter.text === undefined ? null : bodiesTest(filter.text),
  };
}

/** The sort key of entries. */
export function sortKey(entry: NetworkEntry, by: string): number | string {
  if (by === 'url') return urlOf(entry);
  if (by === 'status') return statusOf(entry);
  if (by === 'size') return entryBytes(entry);
  if (by === 'duration') return Number(entry['time'] ?? 0);
  return startOf(entry);
}
