import { isUtf8 } from 'node:buffer';
import { type JsonObject, type JsonValue, isJsonList } from '../../../../shared/base/json.ts';
import type { CleanPayload, RawPayload, RedactionReport } from '../../../core/result.ts';
import type { KnownSecret, Redactor } from '../../../core/services.ts';
import { isBase64, isBinaryFrame } from '../json-value.ts';
import { mapJson } from '../map-json.ts';
import { vouch, vouchAs, type CleanText } from '../mark.ts';
import { cleanPieces, isPlaceholder, mapPayload, placeholder, Tally } from '../tally.ts';
import { SecretMatcher } from './matcher.ts';
import { atOnce, inSlices, type Work } from '../../../core/slices.ts';

/** Cleans one whole text; returns the same one if nothing was found. */
type CleanOne = (text: string) => string;

/** The base64 member, if its neighbours say so. */
function base64Member(object: JsonObject): string | null {
  if (isBase64(object)) return 'text';
  return isBinaryFrame(object) ? 'data' : null;
}

/**
 * Base64 stays base64: its content is cleaned and encoded again. Bytes that are not text are replaced as a
 * whole if they contain a secret.
 */
function cleanBase64(encoded: string, clean: CleanOne): string {
  const bytes = Buffer.from(encoded, 'base64');
  const isText = isUtf8(bytes);
  const text = isText ? bytes.toString('utf8') : encoded;
  const cleaned = clean(text);
  if (cleaned === text) return encoded;
  const mark = /«redacted:[\w-]+»/.exec(cleaned)?.[0] ?? '';
  return Buffer.from(isText ? cleaned : mark, 'utf8').toString('base64');
}

function cleanLeaf(value: JsonValue, clean: CleanOne): JsonValue {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'number') return value;
  const text = String(value);
  const cleaned = clean(text);
  // A number that happens to contain the digits of a secret is not the secret.
  return cleaned !== text && isPlaceholder(cleaned) ? cleaned : value;
}

/** Cleans every text of a value: leaves, names, and declared base64. */
function cleanTexts(
  value: JsonValue,
  clean: CleanOne,
  cleanLong: (text: string) => Work<string>,
): Work<JsonValue> {
  return mapJson<boolean>(value, false, {
    members(container) {
      const base64 = isJsonList(container) ? null : base64Member(container);
      return (key) => key !== null && key === base64;
    },
    leaf: (leaf, isBase64) =>
      isBase64 && typeof leaf === 'string' ? cleanBase64(leaf, clean) : cleanLeaf(leaf, clean),
    *longText(text, isBase64) {
      return isBase64 ? cleanBase64(text, clean) : yield* cleanLong(text);
    },
    key: clean,
    longKey: cleanLong,
    tooDeep: () => placeholder('nested'),
  });
}

/** Separators that pages put between the characters of a value, and between its bytes in hexadecimal. */
const GAP = '[\\s.,_:|/*-]{0,3}';
const BYTE_GAP = '(?:[\\s.,_:|-]{1,2}|\\\\{1,4}x|[ ,]{1,2}0x)?';
/** Maximum units of a byte with the gap after it. */
const BYTE_UNITS = 7;
/**
 * Characters of a value that is searched with gaps: shorter ones match too much, and nobody spells out longer
 * ones.
 */
const SPELT_LEAST = 6;
const SPELT_MOST = 200;
const MARK = /«redacted:[^»]{1,100}»/u.source;
const MARK_UNITS = 112;

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A character, and its upper case if that has another length. */
function letter(char: string): string {
  const upper = char.toUpperCase();
  return upper.length === char.length
    ? escapePattern(char)
    : `(?:${escapePattern(char)}|${[...upper].map(escapePattern).join(GAP)})`;
}

function patternOf(value: string): string {
  const chars = [...value];
  const bytes = Array.from(Buffer.from(value, 'utf8'), (byte) => byte.toString(16).padStart(2, '0'));
  if (chars.length < SPELT_LEAST || chars.length > SPELT_MOST)
    return [escapePattern(value), bytes.join(chars.length > SPELT_MOST ? '' : BYTE_GAP)].join('|');
  const spelt = [chars, chars.toReversed()].map((each) => each.map(letter).join(GAP));
  return [...spelt, bytes.join(BYTE_GAP)].join('|');
}

/**
 * Finds known values that a page spells differently: in other case, with gaps, backwards, in hexadecimal. One
 * pattern for all of them costs less than a search for each.
 */
class Spellings {
  readonly #pattern: RegExp;
  readonly #kinds: readonly string[];
  readonly #longest: number;

  constructor(secrets: readonly KnownSecret[]) {
    // A mark can contain something like a secret: its own name.
    const patterns = [MARK, ...secrets.map(({ value }) => `(${patternOf(value.trim())})`)];
    this.#pattern = new RegExp(patterns.join('|'), 'gi');
    this.#kinds = secrets.map(({ name }) => `secret-${name}`);
    this.#longest = BYTE_UNITS * Math.max(0, ...secrets.map(({ value }) => Buffer.byteLength(value)));
  }

  /** @param found called with the kind of each secret that gets a mark */
  replace(text: string, found: (kind: string) => void): string {
    return text.replace(this.#pattern, (match: string, ...groups: readonly unknown[]) => {
      const kind = this.#kinds[groups.slice(0, this.#kinds.length).findIndex((group) => group !== undefined)];
      if (kind === undefined) return match;
      found(kind);
      return placeholder(kind);
    });
  }

  /** Where to cut a text that will continue: the rest may be the beginning of a secret, or of a mark. */
  cutOf(text: string): number {
    const at = Math.max(0, text.length - this.#longest);
    const mark = text.lastIndexOf('«', at);
    return mark > at - MARK_UNITS && mark >= 0 && !text.slice(mark, at).includes('»') ? mark : at;
  }
}

const ADDRESS = /^[a-z][\w+.-]{1,20}:\/\/\S*$/i;

/** A text in chunks: a possible start of a secret is held back until more has arrived. */
class SecretStream {
  #held = '';
  #covered = 0;
  /** Scanned text that may begin another spelling. */
  #scanned = '';

  constructor(
    /** Asked for each chunk: a value may be learnt meanwhile. */
    private readonly exact: () => Exact,
    private readonly tally: Tally,
  ) {}

  push(chunk: string): string {
    return this.#scan(chunk, false);
  }

  flush(): string {
    return this.#scan('', true);
  }

  #scan(chunk: string, isEnd: boolean): string {
    const { matcher, spellings, isEmpty } = this.exact();
    if (isEmpty) return chunk;
    const found = (kind: string) => this.tally.secret(kind);
    const scanned = matcher.scan(this.#held + chunk, this.#covered, isEnd, found);
    this.#held = scanned.held;
    this.#covered = scanned.covered;
    const out = spellings.replace(this.#scanned + scanned.out, found);
    const cut = isEnd ? out.length : spellings.cutOf(out);
    this.#scanned = out.slice(cut);
    return out.slice(0, cut);
  }
}

/** Cleans whole texts and values; an address stays an address. */
class Exact {
  readonly matcher: SecretMatcher;
  readonly spellings: Spellings;
  readonly isEmpty: boolean;

  constructor(
    secrets: readonly KnownSecret[],
    private readonly now: () => Exact,
  ) {
    this.isEmpty = secrets.length === 0;
    this.matcher = new SecretMatcher(secrets);
    this.spellings = new Spellings(secrets);
  }

  text(text: string, tally: Tally): string {
    const kinds = new Set<string>();
    const found = (kind: string): void => {
      kinds.add(kind);
      tally.secret(kind);
    };
    const scanned = this.matcher.mayHold(text) ? this.matcher.scan(text, 0, true, found).out : text;
    const out = this.spellings.replace(scanned, found);
    if (kinds.size === 0 || !ADDRESS.test(text)) return out;
    return [...kinds]
      .map(placeholder)
      .reduce((address, mark) => address.replaceAll(mark, encodeURIComponent(mark)), out);
  }

  value(value: JsonValue, tally: Tally): Work<JsonValue> {
    return cleanTexts(
      value,
      (text) => this.text(text, tally),
      (text) => cleanPieces(text, this.#stream(tally)),
    );
  }

  payload(payload: RawPayload, tally: Tally): Promise<RawPayload> {
    return mapPayload(payload, {
      value: (value) => this.value(value, tally),
      text: () => this.#stream(tally),
    });
  }

  #stream(tally: Tally): SecretStream {
    return new SecretStream(this.now, tally);
  }
}

function withSecrets(report: RedactionReport, tally: Tally): RedactionReport {
  const secrets = { ...report.secrets, ...tally.report().secrets };
  return {
    ...report,
    secrets: Object.fromEntries(Object.entries(secrets).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const NONE: readonly KnownSecret[] = [];

/**
 * A redactor that also replaces known values, whatever another one does. It looks for them before the other
 * works, which may replace a part of one, and after it, since a removal may have split one.
 * @param learned further values; the same list as long as there is no new one
 */
export function redactKnown(
  redactor: Redactor,
  secrets: readonly KnownSecret[],
  learned: () => readonly KnownSecret[] = () => NONE,
): Redactor {
  let seen = NONE;
  const now = (): Exact => {
    const more = learned();
    if (more !== seen) [seen, made] = [more, new Exact([...secrets, ...more], now)];
    return made;
  };
  let made = new Exact(secrets, now);
  return {
    enabled: redactor.enabled,
    hasKnownSecrets: true,
    async payload(raw) {
      const tally = new Tally();
      const { payload, report } = await redactor.payload(await now().payload(raw, tally));
      // A payload that was already clean stays one of the same kind.
      const cleaned = vouchAs<RawPayload, CleanPayload>(await now().payload(payload, tally));
      return { payload: cleaned, report: () => withSecrets(report(), tally) };
    },
    // Only texts and numbers change, and callers read the results as JSON.
    value<T extends JsonValue>(value: T) {
      const tally = new Tally();
      const cleaned: JsonValue = redactor.value<JsonValue>(atOnce(now().value(value, tally)));
      return vouch(atOnce(now().value(cleaned, tally)) as T);
    },
    *findings(value) {
      const tally = new Tally();
      const known = yield* now().value(value, tally);
      return withSecrets(yield* redactor.findings(known), tally);
    },
    async large<T extends JsonValue>(value: T) {
      const tally = new Tally();
      const cleaned: JsonValue = await redactor.large<JsonValue>(await inSlices(now().value(value, tally)));
      return vouch((await inSlices(now().value(cleaned, tally))) as T);
    },
    async exchange<T extends JsonObject>(entry: T) {
      const tally = new Tally();
      const known = await inSlices(now().value(entry, tally));
      const cleaned = await redactor.exchange<JsonObject>(known as T);
      const last = await inSlices(now().value(cleaned.entry, tally));
      return { entry: vouch(last as T), report: withSecrets(cleaned.report, tally) };
    },
    text(text): CleanText {
      const tally = new Tally();
      return vouch(now().text(redactor.text(now().text(text, tally)), tally));
    },
  };
}
