import type { WidgetDialect } from './definition.ts';

type Meta = Readonly<Record<string, unknown>>;

/** Keys that belong to the protocol itself. */
const PROTOCOL = 'io.modelcontextprotocol/';

const matches = (key: string, allowed: string): boolean =>
  allowed.endsWith('/') ? key.startsWith(allowed) : key === allowed;

/**
 * `_meta` as it may leave: the protocol's own keys and those of the mode's widgets, and nothing
 * else, whoever wrote them. Everything that goes to a client passes here, in lists, results and
 * resources, so that no key of one mode is ever seen in another.
 */
export function publicMeta(
  meta: Meta | undefined,
  dialect: Pick<WidgetDialect, 'metaKeys'> | null,
): Meta | undefined {
  if (meta === undefined) return undefined;
  const allowed = [PROTOCOL, 'progressToken', ...(dialect?.metaKeys ?? [])];
  const kept = Object.entries(meta).filter(([key]) => allowed.some((pattern) => matches(key, pattern)));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** The same object with its `_meta` as it may leave, or without one. */
export function publicFields<T extends object>(
  value: T & { readonly _meta?: Meta | undefined },
  dialect: Pick<WidgetDialect, 'metaKeys'> | null,
): T {
  if (value._meta === undefined) return value;
  const { _meta, ...rest } = value;
  const meta = publicMeta(_meta, dialect);
  // `rest` is `value` without an optional member of its type.
  return (meta === undefined ? rest : { ...rest, _meta: meta }) as T;
}
