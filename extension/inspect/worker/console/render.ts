import { cut } from '../../../../shared/base/cut.ts';
import type { RemoteObject } from '../../../platform/chromium/console.ts';

/** Characters of one message, and of one string in an object. */
const MESSAGE_UNITS = 10_000;
const STRING_UNITS = 2_000;

export interface Inside {
  readonly members: readonly { readonly name: string; readonly value: RemoteObject }[];
  /** There are more than these. */
  readonly isCut: boolean;
}

export type Insides = ReadonlyMap<string, Inside>;

/** Leaves no part of a secret that the cut goes through. */
export const cutText = (text: string, maxUnits: number): string => cut(text, maxUnits).toWellFormed();

/** The text of a console call: format specifiers applied, the remaining arguments appended. */
export function renderArguments(args: readonly RemoteObject[], insides: Insides): string {
  const [first, ...rest] = args;
  if (first === undefined) return '';
  if (first.type !== 'string' || typeof first.value !== 'string' || !first.value.includes('%'))
    return cutText(args.map((arg) => renderTop(arg, insides)).join(' '), MESSAGE_UNITS);
  const left = [...rest];
  const text = first.value.replace(/%([sdifoOc%])/g, (specifier, kind: string) => {
    if (kind === '%') return '%';
    const arg = left.shift();
    return arg === undefined ? specifier : formatAs(kind, arg, insides);
  });
  return cutText([text, ...left.map((arg) => renderTop(arg, insides))].join(' '), MESSAGE_UNITS);
}

/** https://console.spec.whatwg.org/#formatter */
function formatAs(kind: string, arg: RemoteObject, insides: Insides): string {
  if (kind === 'c') return '';
  if (kind === 's' || kind === 'o' || kind === 'O') return renderTop(arg, insides);
  const number = arg.type === 'symbol' ? NaN : Number.parseFloat(renderTop(arg, insides));
  return String(kind === 'f' ? number : Math.trunc(number));
}

function renderTop(value: RemoteObject, insides: Insides): string {
  if (value.type === 'string' && typeof value.value === 'string') return value.value;
  return renderValue(value, insides);
}

/** A value in one line, as in developer tools. */
export function renderValue(value: RemoteObject, insides: Insides): string {
  const { type, subtype, description = '' } = value;
  if (type === 'string') return JSON.stringify(cutText(String(value.value ?? ''), STRING_UNITS));
  if (type === 'undefined' || subtype === 'null') return subtype ?? type;
  if (value.unserializableValue !== undefined) return value.unserializableValue;
  if (type === 'function') return firstLine(description);
  if (type === 'object') return renderObject(value, insides);
  return description === '' ? String(value.value) : description;
}

function renderObject(value: RemoteObject, insides: Insides): string {
  const { type, subtype, description = '' } = value;
  const inside = value.objectId === undefined ? undefined : insides.get(value.objectId);
  if (subtype === 'error') {
    const causes = inside?.members.map((cause) => `\nCaused by: ${renderValue(cause.value, insides)}`) ?? [];
    return cutText(description, STRING_UNITS) + causes.join('');
  }
  if (inside !== undefined) {
    const members = inside.members.map((one): NamedMember => [one.name, renderValue(one.value, insides)]);
    return enclose(value, members, inside.isCut);
  }
  if (value.preview !== undefined) return renderPreview(value);
  return description === '' ? type : firstLine(description);
}

const firstLine = (text: string): string => cutText(/^[^\n]*/.exec(text)?.[0] ?? '', 200);

const isList = ({ subtype }: RemoteObject): boolean => subtype === 'array' || subtype === 'typedarray';

/** The class of an object, if it is informative. */
const formatClassName = (value: RemoteObject): string =>
  value.className === undefined || value.className === 'Object' || isList(value) ? '' : `${value.className} `;

type NamedMember = readonly [name: string, text: string];

function enclose(value: RemoteObject, members: readonly NamedMember[], isCut: boolean): string {
  const parts = members.map(([name, text]) => (isList(value) ? text : `${name}: ${text}`));
  const all = [...parts, ...(isCut ? ['…'] : [])].join(', ');
  return isList(value) ? `[${all}]` : `${formatClassName(value)}{${all}}`;
}

/** The browser cuts long strings of a preview in their middle: these are omitted. */
const isAbbreviated = (text: string): boolean => text.length >= 100 && text.includes('…');

function renderPreview(value: RemoteObject): string {
  const { properties = [], overflow = false } = value.preview ?? {};
  const members = properties.map(({ name, type, value: said = type }): NamedMember => {
    return [name, type === 'string' ? (isAbbreviated(said) ? '"…"' : JSON.stringify(said)) : said];
  });
  return enclose(value, members, overflow);
}
