import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { HEADER_NAME } from '../config.ts';
import { resolveObject, textOf } from './refs.ts';
import type { ParameterStyle } from './styles.ts';

const PLACES = ['path', 'query', 'header', 'cookie'] as const;
type Place = (typeof PLACES)[number];

/** Where an argument goes. */
export type Binding =
  | {
      readonly at: Place;
      readonly name: string;
      readonly style: ParameterStyle;
      /** Written as JSON, whatever its style: its `content` says so. */
      readonly isJson: boolean;
    }
  | { readonly at: 'field'; readonly name: string }
  | { readonly at: 'body' };

/** Headers that the specification leaves to the client. */
const CLIENT_HEADERS = new Set([
  'accept',
  'content-type',
  'authorization',
  'host',
  'content-length',
  'cookie',
]);

const DEFAULT_STYLES: Readonly<Record<Place, string>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};

export interface Parameter {
  readonly binding: Extract<Binding, { readonly at: Place }>;
  readonly schema: JsonValue | undefined;
  readonly description: string;
  readonly isRequired: boolean;
}

/** A parameter of a document, or null for one that is not for callers: the configuration or the client sets it. */
export function readParameter(
  root: JsonObject,
  parameter: JsonObject,
  configuredHeaders: ReadonlySet<string>,
): Parameter | null {
  const name = textOf(parameter['name']);
  const at = PLACES.find((place) => place === parameter['in']);
  if (name === '' || at === undefined) return null;
  const header = name.toLowerCase();
  if (
    at === 'header' &&
    (CLIENT_HEADERS.has(header) || configuredHeaders.has(header) || !HEADER_NAME.test(name))
  )
    return null;
  const [content] = Object.entries(resolveObject(root, parameter['content']));
  const style = textOf(parameter['style']) || DEFAULT_STYLES[at];
  const { explode } = parameter;
  return {
    binding: {
      at,
      name,
      style: {
        style,
        isExploded: typeof explode === 'boolean' ? explode : style === 'form',
        allowsReserved: parameter['allowReserved'] === true,
      },
      isJson: content !== undefined && /\bjson\b/i.test(content[0]),
    },
    schema: content === undefined ? parameter['schema'] : resolveObject(root, content[1])['schema'],
    description: textOf(parameter['description']).trim(),
    isRequired: at === 'path' || parameter['required'] === true,
  };
}
