import { SpillwayError } from '../../../shared/errors.ts';
import type { CleanPayload, RawPayload, RedactionReport } from '../../core/result.ts';
import type { Redactor } from '../../core/services.ts';
import { clean, cleanJsonText, type CleanBytes, type CleanJson, type CleanText } from '../../redact/clean.ts';
import { vouchBytes, vouchEachBytes } from '../../redact/mark.ts';
import { decodeBase64 } from '../../toolkit/file-stream.ts';

const BUFFER_BYTES = 256 * 1_024;
/** UTF-16 units encoded at once; each takes at most three bytes of UTF-8. */
const PIECE_UNITS = 32 * 1_024;
const MAX_BYTES_PER_UNIT = 3;

/**
 * Texts as UTF-8, small ones gathered. All chunks lie in one buffer, so that a part of any size leaves
 * nothing for the garbage collector: each is good until the next one is asked for.
 */
export async function* gather(texts: AsyncIterable<CleanText>): AsyncGenerator<CleanBytes, void> {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let used = 0;
  for await (const text of texts)
    for (const piece of piecesOf(text)) {
      if (used + piece.length * MAX_BYTES_PER_UNIT > BUFFER_BYTES) {
        yield vouchBytes(buffer.subarray(0, used));
        used = 0;
      }
      used += buffer.write(piece, used, 'utf8');
    }
  if (used > 0) yield vouchBytes(buffer.subarray(0, used));
}

function* piecesOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + PIECE_UNITS);
    // A pair of surrogates is one character.
    if (to < text.length && (text.codePointAt(to - 1) ?? 0) > 0xffff) to -= 1;
    yield text.slice(from, to);
    from = to;
  }
}

async function* listOf(items: AsyncIterable<CleanJson>): AsyncGenerator<CleanText, void> {
  let isFirst = true;
  for await (const item of items) {
    yield isFirst ? clean`[\n${cleanJsonText(item)}` : clean`,\n${cleanJsonText(item)}`;
    isFirst = false;
  }
  yield isFirst ? clean`[]\n` : clean`\n]\n`;
}

/** A part's bytes: text as UTF-8, items as one JSON array with a line each. */
export function bytesOf(payload: CleanPayload): AsyncIterable<CleanBytes> {
  switch (payload.kind) {
    case 'items':
      return gather(listOf(payload.items));
    case 'text':
      return gather(payload.chunks);
    case 'bytes':
      return payload.chunks;
    case 'json':
      throw new SpillwayError('internal_error', 'A part of a bundle is a stream.');
  }
}

/** The bytes of a picture, which cannot be redacted, from base64 in pieces. */
export const decodePicture = (texts: AsyncIterable<string>): AsyncIterable<CleanBytes> =>
  vouchEachBytes(decodeBase64(texts));

/** What was done to several payloads, as if they were one; rules in alphabetical order. */
export function addReports(reports: readonly RedactionReport[]): RedactionReport {
  const secrets = new Map<string, number>();
  let invisibleCharacters = 0;
  let instructionLike = 0;
  for (const report of reports) {
    for (const [rule, count] of Object.entries(report.secrets))
      secrets.set(rule, (secrets.get(rule) ?? 0) + count);
    invisibleCharacters += report.invisibleCharacters;
    instructionLike += report.instructionLike;
  }
  const sorted = [...secrets].sort(([a], [b]) => (a < b ? -1 : 1));
  return { secrets: Object.fromEntries(sorted), invisibleCharacters, instructionLike };
}

/** Redacts the pieces of one part, and adds up what was done to them. */
export class PartRedaction {
  readonly #redactor: Redactor;
  readonly #reports: (() => RedactionReport)[] = [];

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** False with `--no-sanitize-content` and without `--secrets`. */
  get isEnabled(): boolean {
    return this.#redactor.enabled || this.#redactor.hasKnownSecrets;
  }

  redact(raw: RawPayload): CleanPayload {
    const { payload, report } = this.#redactor.payload(raw);
    this.#reports.push(report);
    return payload;
  }

  /** Complete once the pieces were consumed. */
  report(): RedactionReport {
    return addReports(this.#reports.map((report) => report()));
  }
}
