import { SpillwayError } from '../../../../shared/errors.ts';
import { MIME } from '../../../../shared/mime.ts';
import { clean, type CleanText } from '../../../redact/clean.ts';
import { vouch, vouchEach } from '../../../redact/mark.ts';
import type { PartRedaction } from '../redaction.ts';
import { boundaryOf, cleanHeaders, fieldOf } from './headers.ts';
import { decodeBytes, encodeBytes } from './lossless.ts';
import { TextReader } from './text-reader.ts';
import { base64, identity, quotedPrintable, type Transfer } from './transfer.ts';

const HEADER_UNITS = 256 * 1_024;
const TEXT_TYPE =
  /^(?:text\/|application\/(?:xml|json|javascript|ecmascript)\b|[\w.-]+\/[\w.-]+\+(?:xml|json)\b)/i;
const TRANSFERS: Readonly<Record<string, Transfer>> = { 'quoted-printable': quotedPrintable, base64 };

/** Clean text in a transfer encoding. */
const encoded = (chunks: AsyncIterable<CleanText>, transfer: Transfer): AsyncIterable<CleanText> =>
  vouchEach(transfer.encode(encodeBytes(chunks)));

/** A page as MHTML, cleaned part by part while it passes. */
export interface CleanedMhtml {
  readonly chunks: AsyncIterable<CleanText>;
  /** Parts that no redactor can read: pictures, fonts, media. */
  readonly opaqueParts: () => number;
}

/**
 * Redacts MHTML (RFC 2557, as Chromium writes it). Each text part is decoded from its transfer
 * encoding, cleaned as one text, and encoded again in lines of its own; addresses and the title in
 * headers are cleaned too. Other parts pass as they are. Memory: a few pieces.
 *
 * Consuming throws SpillwayError `stream_corrupt` for invalid MHTML.
 */
export function redactMhtml(source: AsyncIterable<string>, redaction: PartRedaction): CleanedMhtml {
  if (!redaction.isEnabled) return { chunks: vouchEach(source), opaqueParts: () => 0 };
  let opaque = 0;
  const cleanLine = (text: string): CleanText => {
    const payload = redaction.redact({ kind: 'json', mimeType: MIME.json, value: text });
    return payload.kind === 'json' && typeof payload.value === 'string' ? payload.value : clean``;
  };
  const cleanBody = (body: AsyncIterable<string>, transfer: Transfer): AsyncIterable<CleanText> => {
    const chunks = decodeBytes(transfer.decode(body));
    const payload = redaction.redact({ kind: 'text', mimeType: MIME.text, chunks });
    if (payload.kind !== 'text')
      throw new SpillwayError('internal_error', 'The redactor did not return text.');
    return encoded(payload.chunks, transfer);
  };

  async function* pieces(): AsyncGenerator<CleanText, void> {
    const reader = new TextReader(source);
    try {
      const head = await reader.textUntil('\r\n\r\n', HEADER_UNITS);
      const boundary = boundaryOf(head);
      if (boundary === null) throw new SpillwayError('stream_corrupt', 'The MHTML names no boundary.');
      yield vouch(`${cleanHeaders(head, cleanLine)}\r\n\r\n`);
      const mark = `--${boundary}`;
      yield* vouchEach(reader.until(mark));
      for (;;) {
        const end = await reader.textUntil('\r\n', HEADER_UNITS);
        yield vouch(`${mark}${end}\r\n`);
        if (end !== '') break;
        const block = await reader.textUntil('\r\n\r\n', HEADER_UNITS);
        yield vouch(`${cleanHeaders(block, cleanLine)}\r\n\r\n`);
        const body = reader.until(`\r\n${mark}`);
        if (TEXT_TYPE.test(fieldOf(block, 'content-type'))) {
          const encoding = fieldOf(block, 'content-transfer-encoding').toLowerCase();
          yield* cleanBody(body, TRANSFERS[encoding] ?? identity);
        } else {
          opaque += 1;
          yield* vouchEach(body);
        }
        yield clean`\r\n`;
      }
      yield* vouchEach(reader.rest());
    } finally {
      await reader.close();
    }
  }
  return {
    chunks: pieces(),
    opaqueParts: () => opaque,
  };
}
