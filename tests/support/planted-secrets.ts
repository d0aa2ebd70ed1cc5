import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isMissing } from '../../server/core/machine/errno.ts';
import fc from './property.ts';
import { alnum, CANARIES } from '../libraries/unit/redaction/canaries.ts';

/** Where the site of `fixtures/secret-site.ts` plants secrets. */
const SECRET_PLACES = [
  ...['query', 'request-header', 'cookie', 'set-cookie', 'json-body', 'form-body', 'response-body'],
  ...['text', 'attribute', 'comment', 'console', 'web-socket', 'event-source', 'local-storage'],
  ...['json-ld', 'cell'],
] as const;
export type SecretPlace = (typeof SECRET_PLACES)[number];

/** Names whose values are always secret, and where a name is next to its value. */
const KEY_NAMES = ['password', 'access_token', 'api_key', 'client_secret', 'csrf_token', 'x-auth-token'];
const NAMED_PLACES: readonly SecretPlace[] = [
  'query',
  'request-header',
  'json-body',
  'form-body',
  'response-body',
];
const COOKIE_NAMES = ['session_id', 'auth'];
const COOKIE_PLACES: readonly SecretPlace[] = ['cookie', 'set-cookie'];

type Secret = { readonly place: SecretPlace; readonly name: string; readonly value: string };

/** One secret per redaction rule and place, the same in every run. */
export function plantSecrets(): readonly Secret[] {
  const sample = (secret: fc.Arbitrary<string>, count: number, seed: number): string[] =>
    fc.sample(secret, { numRuns: count, seed });
  const secrets = CANARIES.flatMap(({ secret }, rule) =>
    sample(secret, SECRET_PLACES.length, rule + 1).map((value, index) => ({
      place: SECRET_PLACES[index] ?? 'text',
      name: `k${rule}`,
      value,
    })),
  );
  const named = (names: readonly string[], places: readonly SecretPlace[], seed: number): Secret[] => {
    const values = sample(alnum(24), names.length * places.length, seed);
    return places.flatMap((place, at) =>
      names.map((name, index) => ({ place, name, value: values[at * names.length + index] ?? '' })),
    );
  };
  return [...secrets, ...named(KEY_NAMES, NAMED_PLACES, 1_001), ...named(COOKIE_NAMES, COOKIE_PLACES, 1_002)];
}

export function plantKnown(): readonly Secret[] {
  return SECRET_PLACES.map((place) => ({ place, name: 'known', value: `plain.words/of_${place}+more` }));
}

export function byPlace(secrets: readonly Secret[]): Record<SecretPlace, Record<string, string>> {
  const entries = SECRET_PLACES.map((place) => [
    place,
    Object.fromEntries(
      secrets.filter((secret) => secret.place === place).map(({ name, value }) => [name, value]),
    ),
  ]);
  return Object.fromEntries(entries) as Record<SecretPlace, Record<string, string>>;
}

/** The base64 forms of a text at any byte offset, without the characters that its neighbours change. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.from(`${' '.repeat(shift)}${text}`)
      .toString('base64')
      .replace(/=+$/, '');
    return encoded.slice(shift === 0 ? 0 : 4, (encoded.length >> 2) << 2);
  });
}

const PIECE = 12;

export class SecretScanner {
  readonly #pieces = new Map<
    string,
    { readonly form: string; readonly secret: Secret; readonly how: string }[]
  >();
  /** Which three bytes begin a piece: this alone skips most positions of a file. */
  readonly #starts = new Uint8Array(1 << 24);

  constructor(secrets: readonly Secret[]) {
    for (const secret of secrets) {
      const { value } = secret;
      this.#add(secret, value, 'plain');
      this.#add(secret, encodeURIComponent(value), 'percent-encoded');
      this.#add(secret, JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/'), 'JSON-escaped');
      this.#add(secret, value.replaceAll('_', '\\_'), 'Markdown-escaped');
      for (const form of base64Forms(value)) this.#add(secret, form, 'base64');
    }
  }

  #add(secret: Secret, form: string, how: string): void {
    const piece = form.slice(-PIECE);
    const known = this.#pieces.get(piece) ?? [];
    if (known.some((other) => other.form === form)) return;
    this.#pieces.set(piece, [...known, { form, secret, how }]);
    this.#starts[startOf(Buffer.from(piece, 'latin1'), 0)] = 1;
  }

  scan(bytes: Buffer): string[] {
    const found = new Set<string>();
    for (let at = 0; at + PIECE <= bytes.length; at += 1) {
      if (this.#starts[startOf(bytes, at)] === 0) continue;
      for (const { form, secret, how } of this.#pieces.get(bytes.toString('latin1', at, at + PIECE)) ?? [])
        if (bytes.toString('latin1', Math.max(0, at + PIECE - form.length), at + PIECE) === form)
          found.add(`${secret.place} ${secret.name} ${how}`);
    }
    return [...found];
  }

  /** Scans a text, also with the soft line breaks of quoted-printable removed. */
  scanText(text: string): string[] {
    return this.scanBytes(Buffer.from(text));
  }

  scanBytes(bytes: Buffer): string[] {
    const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
    const text = plain.toString('latin1');
    const joined = text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
    return [
      ...this.scan(plain),
      ...(joined.length === text.length ? [] : this.scan(Buffer.from(joined, 'latin1'))),
    ];
  }

  scanFolder(folder: string): string[] {
    return filesBelow(folder).flatMap((path) => {
      const bytes = readIfThere(path);
      return bytes === null ? [] : this.scanBytes(bytes).map((found) => `${path}: ${found}`);
    });
  }
}

/** Null for a file that its program has removed since it was listed. */
export function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    throw thrown;
  }
}

const startOf = (bytes: Buffer, at: number): number => bytes.readUIntBE(at, 3);

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}
