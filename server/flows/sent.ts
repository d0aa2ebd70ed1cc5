import { parseStep } from '../../shared/act/parse-step.ts';
import { isObject, type JsonObject } from '../../shared/base/json.ts';
import { parseUrl } from '../../shared/base/private-address.ts';
import { domainToUnicode } from 'node:url';
import { valuesIn } from '../core/slices.ts';
import { unescaped } from './decoded.ts';
import { groupOf } from './groups.ts';

/** A text that a call sends. */
export interface SentText {
  /** The searched texts: of an address, only those that its site gets. */
  readonly parts: readonly string[];
  /** The whole of an address; null for another text. */
  readonly address: string | null;
  /** Texts that may continue what earlier calls sent to the same place. */
  readonly streams: readonly (readonly [place: string, text: string])[];
}

/** Arguments that say where and how to act: no site gets them. */
const NOT_SENT: ReadonlySet<string> = new Set(
  (
    'tab browser action target to selector ref wait_for wait_until timeout_ms show output_mode output_handle run run_id ' +
    'resume format area scope save_as include exclude do as'
  ).split(' '),
);

/** The texts in the arguments of a call that a site could get: values, then names. */
export function sentIn(tool: string, args: JsonObject): readonly SentText[] {
  const found: SentText[] = [];
  const names: SentText[] = [];
  const walk = (value: unknown, place: string, isStep: boolean): void => {
    if (typeof value === 'string') found.push(sentOf(isStep ? getStepText(value) : value, place));
    else if (typeof value === 'number') found.push(sentOf(String(value), place));
    else if (Array.isArray(value)) for (const one of value) walk(one, place, isStep);
    else if (isStep && isObject(value) && value['do'] === 'press' && typeof value['value'] === 'string')
      found.push(sentOf(keysIn(value['value']), place));
    else if (isObject(value)) walkMembers(value, place, isStep);
  };
  const walkMembers = (members: object, place: string, isStep: boolean): void => {
    const isTop = place === '';
    for (const [name, value] of Object.entries(members)) {
      if ((isTop || isStep) && NOT_SENT.has(name)) continue;
      if (!isTop && !isStep) names.push(sentOf(name, `${place} names`));
      const isOfInteract = tool === 'interact' && isTop;
      if (isOfInteract && name === 'fields' && isObject(value))
        Object.values(value).forEach((one) => walk(one, name, false));
      else walk(value, isTop ? name : place, isOfInteract && name === 'steps');
    }
  };
  walkMembers(tool === 'storage' ? withoutDomain(args) : args, '', false);
  return [...found, ...names].filter(({ streams }) => streams.some(([, text]) => text !== ''));
}

const sentOf = (text: string, place: string): SentText =>
  addressIn(text.trim()) ?? { parts: [text], address: null, streams: [[place, text]] };

const FIELDS_MAX = 100;
const HOST_UNITS = 16;

/** An address, with the parts that its site gets; null for another text. */
function addressIn(text: string): SentText | null {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? parseUrl(text) : null;
  if (url === null) return null;
  const path = url.pathname.replaceAll(/;[^/;=]*=/g, '/');
  const segments = path.split('/');
  const fields = [...url.searchParams].slice(0, FIELDS_MAX);
  const values = fields.map(([, value]) => value).join('');
  const own = domainToUnicode(groupOf(url.origin));
  const host = domainToUnicode(url.hostname)
    .slice(0, -1 - own.length)
    .replaceAll('.', '');
  const parts = [
    text.replace(/^[^:]+:\/\/[^/?#]*/, ''),
    segments.join(''),
    values,
    fields.map(([name]) => name).join(''),
    ...[...segments, ...fields.flat()].slice(0, FIELDS_MAX),
    url.hash.slice(1),
    `${url.username}${url.password}`,
    // The name of a service is not a text.
    /\d/.test(host) || host.length > HOST_UNITS ? host : '',
  ];
  return {
    parts: parts.filter(({ length }) => length >= 4).map(unescaped),
    address: text,
    streams: [
      ['host', host],
      ['path', unescaped(path)],
      ['query', values],
      ...(fields.length > 1 ? fields.map(([name, value]) => [`query ${name}`, value] as const) : []),
    ],
  };
}

/** A cookie's domain is part of the page's host, or refused. */
function withoutDomain({ cookie, ...args }: JsonObject): JsonObject {
  if (!isObject(cookie)) return args;
  const { domain: _domain, ...sent } = cookie;
  return { ...args, ...sent };
}

/** The characters that keys give: none for `Tab` and `Control+C`. */
const keysIn = (keys: string): string =>
  keys.replaceAll(/\S{2,}/g, (key) => /^Shift\+(.)$/su.exec(key)?.[1] ?? '');

/** The text of a step that a page gets. */
function getStepText(step: string): string {
  try {
    const { do: kind, value = '' } = parseStep(step);
    if (kind === 'press') return keysIn(String(value));
    return Array.isArray(value) ? value.join(' ') : String(value);
  } catch {
    return step;
  }
}

/** The texts and numbers in a value. */
export function leavesOf(value: unknown): readonly string[] {
  const found: string[] = [];
  for (const one of valuesIn(value))
    if (typeof one === 'string' || typeof one === 'number') found.push(String(one));
  return found.reverse();
}
