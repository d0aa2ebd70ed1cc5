import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';
import { isJsonText, JsonEscapes } from '../../../shared/base/json-escapes.ts';
import type { MimeType } from '../../../shared/base/mime.ts';
import type { CleanPayload, RawPayload, RedactionReport } from '../../core/result.ts';
import type { KnownSecret, Redactor } from '../../core/services.ts';
import { redactKnown } from './exact/redactor.ts';
import { cleanExchange } from './exchange.ts';
import { cleanByNames, JSON_UNITS, NodeNames, startsJson } from './json-names.ts';
import { cleanJson, cleanLongTextOrJson, cleanTextOrJson } from './json-value.ts';
import { mapPayload, Tally } from './tally.ts';
import { TextStream } from './text-stream.ts';
import { vouch, vouchAs } from './mark.ts';
import { atOnce, inSlices, type Work } from '../../core/slices.ts';

const START_UNITS = 64;

/** Cleans a text in chunks: what starts as JSON also by the names in it, if it is short enough to be held. */
class PayloadStream {
  /** A JSON parser reads a secret whatever its escapes are. */
  readonly #escapes: JsonEscapes | null;
  readonly #stream: TextStream;
  /** Null if the text is passed on. */
  #held: string | null = '';
  #start = '';

  constructor(
    private readonly tally: Tally,
    mimeType: MimeType,
  ) {
    this.#escapes = isJsonText(mimeType) ? new JsonEscapes() : null;
    this.#stream = new TextStream(tally);
  }

  push(chunk: string): string {
    return this.#pass(this.#stream.push(this.#escapes?.push(chunk) ?? chunk));
  }

  *flush(): Work<string> {
    const rest = this.#pass(this.#stream.push(this.#escapes?.flush() ?? '') + this.#stream.flush());
    return this.#held === null ? rest : yield* cleanByNames(this.#held, this.tally, cleanLongTextOrJson);
  }

  #pass(text: string): string {
    if (this.#held === null) return text;
    const held = this.#held + text;
    // Only the start is looked at: all that is held would be copied each time.
    const start = this.#start + text.slice(0, START_UNITS);
    this.#start = start.slice(0, START_UNITS);
    const canBeJson = held.length <= JSON_UNITS && (startsJson(start) || start.trim() === '');
    this.#held = canBeJson ? held : null;
    return canBeJson ? '' : held;
  }
}

async function cleanPayload(payload: RawPayload, tally: Tally): Promise<CleanPayload> {
  const nodes = new NodeNames();
  const cleaned = await mapPayload(payload, {
    value: (value) => cleanJson(value, tally, nodes.contextOf(value)),
    text: (mimeType) => new PayloadStream(tally, mimeType),
  });
  return vouchAs<RawPayload, CleanPayload>(cleaned);
}

const NOTHING: RedactionReport = { secrets: {}, invisibleCharacters: 0, instructionLike: 0 };

/** Passes everything through: the same objects, nothing counted. */
const passThrough: Redactor = {
  enabled: false,
  hasKnownSecrets: false,
  payload: async (payload) => ({
    payload: vouchAs<RawPayload, CleanPayload>(payload),
    report: () => NOTHING,
  }),
  value: vouch,
  *findings() {
    yield;
    return NOTHING;
  },
  large: async (value) => vouch(value),
  exchange: async (entry) => ({ entry: vouch(entry), report: NOTHING }),
  text: vouch,
};

const active: Redactor = {
  enabled: true,
  hasKnownSecrets: false,
  async payload(payload) {
    const tally = new Tally();
    return { payload: await cleanPayload(payload, tally), report: () => tally.report() };
  },
  value<T extends JsonValue>(value: T) {
    // Only leaves change, and a secret number becomes text; callers read the result as JSON.
    return vouch(atOnce(cleanJson(value, new Tally())) as T);
  },
  *findings(value) {
    const tally = new Tally();
    yield* cleanJson(value, tally);
    return tally.report();
  },
  async large<T extends JsonValue>(value: T) {
    return vouch((await inSlices(cleanJson(value, new Tally()))) as T);
  },
  async exchange<T extends JsonObject>(entry: T) {
    const tally = new Tally();
    // As above: leaves change, the shape does not.
    const cleaned = await inSlices(cleanExchange(entry, tally));
    return { entry: vouch(cleaned as T), report: tally.report() };
  },
  text: (text) => vouch(cleanTextOrJson(text, new Tally())),
};

export interface RedactorOptions {
  /** False for `--no-sanitize-content`: texts pass unchanged, except values of `secrets`. */
  readonly enabled: boolean;
  /** Values that are replaced wherever they occur, even if `enabled` is false: those of `--secrets`. */
  readonly secrets?: readonly KnownSecret[];
  /** Further values, made while the server runs. */
  readonly learned?: (() => readonly KnownSecret[]) | undefined;
}

/**
 * Makes the redactor. Secrets become `«redacted:kind»`, the same for the same content; characters that a
 * person cannot see are removed; phrases that read like an instruction to a model are counted and stay. Bytes
 * pass untouched: a picture cannot be redacted.
 */
export function createRedactor({ enabled, secrets = [], learned }: RedactorOptions): Redactor {
  const redactor = enabled ? active : passThrough;
  if (secrets.length === 0 && learned === undefined) return redactor;
  const known = redactKnown(redactor, secrets, learned);
  return secrets.length > 0 || learned === undefined ? known : onceLearned(redactor, known, learned);
}

/** Texts pass through one redactor until there is a value, and then through the other. */
function onceLearned(plain: Redactor, known: Redactor, learned: () => readonly KnownSecret[]): Redactor {
  const now = (): Redactor => (learned().length === 0 ? plain : known);
  return {
    enabled: plain.enabled,
    get hasKnownSecrets() {
      return now().hasKnownSecrets;
    },
    // It may stream for long.
    payload: (payload) => known.payload(payload),
    value: (value) => now().value(value),
    findings: (value) => now().findings(value),
    large: (value) => now().large(value),
    exchange: (entry) => now().exchange(entry),
    text: (text) => now().text(text),
  };
}
