import { SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { expectHeaders, HEADER_NAME } from '../config.ts';
import { membersOf, resolveObject, textOf } from './operations.ts';

/** What a request carries so that the service knows who asks. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly cookies: readonly (readonly [string, string])[];
}

export const NO_CREDENTIALS: Credentials = { headers: {}, query: [], cookies: [] };

/** A scheme, and the value that is there for it, or null. */
interface Scheme {
  readonly name: string;
  readonly at: 'header' | 'query' | 'cookie';
  readonly key: string;
  readonly value: string | null;
}

/**
 * Places configured values where the schemes of a document want them. A value is found by the name of its header,
 * query parameter or cookie, or by the name of the scheme; every other one is a header of each request.
 */
export class Security {
  readonly #schemes = new Map<string, Scheme>();
  readonly #plain: Readonly<Record<string, string>>;

  constructor(root: JsonObject, configured: Readonly<Record<string, string>>) {
    const values = new Map(Object.entries(configured).map(([name, value]) => [name.toLowerCase(), value]));
    const used = new Set<string>();
    const given: Given = {
      header: (name) => values.get(name.toLowerCase()) ?? null,
      take: (name) => {
        used.add(name.toLowerCase());
        return values.get(name.toLowerCase()) ?? null;
      },
    };
    const components = resolveObject(root, root['components']);
    for (const [name, value] of membersOf(components['securitySchemes'])) {
      const scheme = readScheme(name, resolveObject(root, value), given);
      this.#schemes.set(name, scheme);
    }
    this.#plain = Object.fromEntries([...values].filter(([name]) => !used.has(name)));
    for (const name of Object.keys(this.#plain))
      if (!HEADER_NAME.test(name))
        throw new SpillwayError(
          'invalid_argument',
          `headers.${name}: It is neither the name of a header nor of a security scheme of the document.`,
          { hint: 'Correct the named field.' },
        );
    const schemes = [...this.#schemes.values()].flatMap(({ name, at, value }) =>
      at === 'header' && value !== null ? [[name, value] as const] : [],
    );
    expectHeaders({ ...this.#plain, ...Object.fromEntries(schemes) }, 'headers');
  }

  /** Names of headers, in lower case, that the configuration sets: callers do not. */
  get headerNames(): ReadonlySet<string> {
    const schemes = [...this.#schemes.values()].filter(({ at, value }) => at === 'header' && value !== null);
    return new Set([...Object.keys(this.#plain), ...schemes.map(({ key }) => key)]);
  }

  /**
   * The first alternative of an operation for which every value is there.
   *
   * @throws SpillwayError `upstream_credential_missing`
   */
  credentialsFor(alternatives: readonly JsonObject[]): Credentials {
    const named = alternatives.map((alternative) => Object.keys(alternative));
    const fitting = named.filter((names) => names.every((name) => this.#has(name)));
    // Where a credential is optional, one that is there is sent.
    const chosen = fitting.find(({ length }) => length > 0) ?? fitting[0];
    if (chosen === undefined && named.length > 0) throw this.#missing(named);
    const schemes = (chosen ?? []).flatMap((name) => this.#schemes.get(name) ?? []);
    const of = (place: Scheme['at']) =>
      schemes.flatMap(({ at, key, value }) =>
        at === place && value !== null ? [[key, value] as const] : [],
      );
    return {
      headers: { ...this.#plain, ...Object.fromEntries(of('header')) },
      query: of('query'),
      cookies: of('cookie'),
    };
  }

  #has(name: string): boolean {
    const value = this.#schemes.get(name)?.value;
    return value !== null && value !== undefined;
  }

  #missing(named: readonly (readonly string[])[]): SpillwayError {
    const options = named.map((names) => names.map((name) => `"${name}"`).join(' and ')).join(', or ');
    const [nearest = []] = named;
    const places = nearest.flatMap((name) => {
      const scheme = this.#has(name) ? undefined : this.#schemes.get(name);
      return scheme === undefined ? [] : [`the ${scheme.at} "${scheme.key}"`];
    });
    const [only, ...others] = new Set(places);
    const where =
      only === undefined
        ? ''
        : others.length === 0
          ? ` It is ${only}.`
          : ` They are ${[only, ...others].join(', ')}.`;
    return new SpillwayError(
      'upstream_credential_missing',
      `The service requires a credential that is not configured: ${options}.${where}`,
    );
  }
}

interface Given {
  /** The value of a header: it is one of each request. */
  readonly header: (name: string) => string | null;
  /** Any other value: it is sent where its scheme says, and only there. */
  readonly take: (name: string) => string | null;
}

function readScheme(name: string, scheme: JsonObject, { header, take }: Given): Scheme {
  const type = textOf(scheme['type']);
  const key = textOf(scheme['name']);
  const place = textOf(scheme['in']);
  if (type === 'apiKey' && (place === 'query' || place === 'cookie'))
    return { name, at: place, key, value: take(key) ?? take(name) };
  if (type === 'apiKey')
    return { name, at: 'header', key: key.toLowerCase(), value: header(key) ?? take(name) };
  // Tokens of OAuth and OpenID are bearers; another program has got them. No certificate is one.
  const own = type === 'mutualTLS' ? null : header('authorization');
  const value = own ?? withScheme(take(name), type === 'http' ? textOf(scheme['scheme']) : 'bearer');
  return { name, at: 'header', key: 'authorization', value };
}

/** `Bearer …` and `Basic …` are written here where the value lacks them. */
function withScheme(value: string | null, scheme: string): string | null {
  if (value === null) return null;
  if (/^[A-Za-z][\w-]* \S/.test(value)) return value;
  const kind = scheme.toLowerCase();
  if (kind === 'basic')
    return `Basic ${value.includes(':') ? Buffer.from(value, 'utf8').toString('base64') : value}`;
  return kind === 'bearer' || kind === '' ? `Bearer ${value}` : `${scheme} ${value}`;
}

/** Whether a text holds one of the values, and the text without them. */
export function withoutCredentials(text: string, { headers, query, cookies }: Credentials): string {
  const values = [
    ...Object.values(headers),
    ...query.map(([, value]) => value),
    ...cookies.map(([, value]) => value),
  ];
  const parts = values
    .flatMap((value) => [value, ...value.split(/[ ;=]/)])
    .filter((value) => value.length >= 8);
  return parts
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, value) => left.replaceAll(value, '[credential]'), text);
}
