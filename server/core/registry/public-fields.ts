import type { WidgetDialect } from './definition.ts';
import { isObject } from '../../../shared/json.ts';

type Meta = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, unknown>>;

/** Null where the mode has none. */
export type PublicDialect = Pick<WidgetDialect, 'metaKeys' | 'mimeType' | 'names' | 'uri'> | null;

/** Keys that belong to the protocol itself. */
const PROTOCOL = 'io.modelcontextprotocol/';

/** Members of answers that are lists of what has `_meta` of its own. */
const LISTS = ['tools', 'resources', 'resourceTemplates', 'prompts', 'messages', 'contents', 'content'];
/** Members that are one such thing: of an embedded resource, of a prompt's message. */
const PARTS = ['resource', 'content'];

/** Content types that hosts render as widgets, of every mode. */
const WIDGET_TYPES = /^\s*text\/html\s*(?:\+skybridge\b|;.*\bprofile\s*=\s*"?mcp-app\b)/is;

const LEFT_OUT = Object.freeze({
  type: 'text',
  text: 'A widget that this server does not offer was omitted.',
});

const matches = (key: string, allowed: string): boolean =>
  allowed.endsWith('/') ? key.startsWith(allowed) : key === allowed;

/**
 * `_meta` as it may leave: the protocol's own keys and those of the mode's widgets, unless what
 * they contain names another owner's widget.
 */
function publicMeta(meta: Meta, dialect: PublicDialect): Meta | undefined {
  const isAllowed = ([key, value]: [string, unknown]): boolean =>
    [PROTOCOL, 'progressToken'].some((pattern) => matches(key, pattern)) ||
    (dialect?.metaKeys.some((pattern) => matches(key, pattern)) === true && !namesOther(value, dialect));
  const kept = Object.entries(meta).filter(isAllowed);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

const isWidgetUri = (value: unknown): boolean => typeof value === 'string' && /^\s*ui:/i.test(value);

const isOwnUri = (value: unknown, dialect: PublicDialect): boolean =>
  dialect !== null && dialect.names.some((name) => dialect.uri(name) === value);

function namesOther(value: unknown, dialect: PublicDialect): boolean {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).some((member) => namesOther(member, dialect));
  return isWidgetUri(value) && !isOwnUri(value, dialect);
}

/**
 * Whether a resource, a template of some, a link to one or an embedded one is not a widget, or one of the
 * mode's own.
 */
function isPublic(value: Fields, dialect: PublicDialect): boolean {
  const { uri, uriTemplate, mimeType } = isObject(value['resource']) ? value['resource'] : value;
  const isWidget =
    isWidgetUri(uri) ||
    isWidgetUri(uriTemplate) ||
    (typeof mimeType === 'string' && WIDGET_TYPES.test(mimeType));
  if (!isWidget) return true;
  // Each of ours has its own address: a widget template belongs to no owner.
  if (uriTemplate !== undefined || !isOwnUri(uri, dialect)) return false;
  return mimeType === undefined || mimeType === dialect?.mimeType;
}

function publicMember(key: string, member: unknown, dialect: PublicDialect): unknown {
  if (LISTS.includes(key) && Array.isArray(member)) {
    const all = member.map((each: unknown) => {
      if (!isObject(each)) return each;
      if (isPublic(each, dialect)) return publicFields(each, dialect);
      // A result keeps its blocks where they are: the first one is never missing.
      return key === 'content' ? LEFT_OUT : undefined;
    });
    return all.filter((each) => each !== undefined);
  }
  if (PARTS.includes(key) && isObject(member))
    return isPublic(member, dialect) ? publicFields(member, dialect) : LEFT_OUT;
  return member;
}

/**
 * An answer as it may leave: a list, a result, the contents of a resource, or one part of these. It
 * keeps of each `_meta` what {@link publicMeta} says, regardless of its author, and no widget of another
 * mode or server. Everything that goes to a client passes here, so that no key and no resource of
 * one mode is ever seen in another. What another server answers passes here without a dialect before,
 * so that it says nothing of how hosts show it. What tools and pages answer as data is not looked into.
 */
export function publicFields<T extends object>(answer: T, dialect: PublicDialect): T {
  const { _meta, ...rest } = answer as Fields;
  const members = Object.entries(rest).map(([key, member]) => [key, publicMember(key, member, dialect)]);
  const meta = isObject(_meta) ? publicMeta(_meta, dialect) : undefined;
  // The same members, without some that no type requires.
  return Object.fromEntries(meta === undefined ? members : [...members, ['_meta', meta]]) as T;
}
