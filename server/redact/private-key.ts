import { mergeSpans, type Span } from './tally.ts';

const KIND = 'private-key';
const BEGIN = /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** PKCS#8 without its header: RSA, elliptic curves, Ed25519. */
const BARE =
  /(?:(?<![A-Za-z0-9+/])|(?<=%[0-9A-F]{2}))M(?:II[A-Za-z0-9+/]{3}IBADANBgkqhkiG9w0BAQEFAASC|[A-Za-z0-9+/]{3}AgEAM[A-Za-z0-9+/]{2}GByqGSM49AgEG|C4CAQAwBQYDK2VwBCIEI)[A-Za-z0-9+/]{8,}={0,2}/g;
const BARE_PART = /AQEFAASC|SM49AgEG|K2VwBCIEI/;
const GAP = '(?:\\\\{1,7}[nr]|[ \\t])';
const HEADER = '[A-Z][\\w-]{1,30}: [^\\s\\\\]{1,80}';
/** A key on one line: a serialised string with `\n` in it, or text whose lines were joined. */
const INLINE_BODY = new RegExp(
  `(?<lead>(?:${GAP}*${HEADER}(?=${GAP})){0,4}${GAP}*)[A-Za-z0-9+/]{16,}={0,2}(?:${GAP}+[A-Za-z0-9+/]{16,}={0,2})*(?:${GAP}+[A-Za-z0-9+/=]{1,15}(?=${GAP}*-----END))?`,
  'y',
);
const BODY_LINE = /^(?<lead>[\s>|*]*)(?<body>[A-Za-z0-9+/=]+)\\?[\s|*]*$/;
const HEADER_LINE = /^[\s>|*]*[A-Z][\w-]{1,30}: /;
const BLANK_LINE = /^[\s>|*]*$/;
/** A shorter line is a word unless it ends a key. */
const BODY_LINE_UNITS = 16;

interface Line {
  readonly start: number;
  /** After the line's break, where it has one. */
  readonly end: number;
  readonly text: string;
}

/**
 * Finds the bodies of PEM and PGP private keys, which span lines and chunks. The first line of a
 * body becomes the placeholder and the others go; the BEGIN and END lines stay. A body is base64
 * lines, so that documentation with dots between the two lines is left alone.
 */
export class PrivateKeyState {
  #isInside = false;
  #hasBody = false;
  #isBare = false;
  /** The line before names what follows, and that is not a private key. */
  #isAfterBegin = false;

  reset(): void {
    this.#isInside = false;
    this.#hasBody = false;
    this.#isBare = false;
    this.#isAfterBegin = false;
  }

  /** Adds the spans between `from` and `to` to `spans`; its lines are read in order, once. */
  apply(
    window: { readonly text: string; readonly from: number; readonly to: number },
    spans: Span[],
  ): Span[] {
    const { text, from, to } = window;
    if (!this.#isInside && !text.includes('PRIVATE KEY', from) && !BARE_PART.test(text)) return spans;
    const found: Span[] = [];
    for (let start = from; start < to;) {
      const lineBreak = text.indexOf('\n', start);
      const end = lineBreak < 0 || lineBreak >= to ? to : lineBreak + 1;
      const line = { start, end, text: text.slice(start, end) };
      if (this.#isInside) this.#inside(line, found);
      if (!this.#isInside) this.#outside(line, found);
      start = end;
    }
    return mergeSpans([...found, ...spans]);
  }

  /** A key that begins in a line; it may go on below. */
  #bare(line: Line, found: Span[]): void {
    BARE.lastIndex = 0;
    for (let hit = BARE.exec(line.text); hit !== null; hit = BARE.exec(line.text)) {
      found.push({ start: line.start + hit.index, end: line.start + BARE.lastIndex, kind: KIND });
      this.#isInside = /^[\s\\*|]*$/.test(line.text.slice(BARE.lastIndex));
      this.#hasBody = true;
      this.#isBare = true;
    }
  }

  #inside(line: Line, found: Span[]): void {
    const { lead = '', body = '' } = BODY_LINE.exec(line.text)?.groups ?? {};
    if (
      body.length >= BODY_LINE_UNITS ||
      (this.#hasBody && body !== '' && (!this.#isBare || body.endsWith('=')))
    ) {
      const start = line.start + lead.length;
      if (this.#hasBody) found.push({ start: line.start, end: line.end, kind: KIND, isRest: true });
      else found.push({ start, end: start + body.length, kind: KIND });
      this.#hasBody = true;
      return;
    }
    const isPartOfKey = !this.#hasBody && (BLANK_LINE.test(line.text) || HEADER_LINE.test(line.text));
    if (!isPartOfKey) this.reset();
  }

  #outside(line: Line, found: Span[]): void {
    if (!this.#isAfterBegin) this.#bare(line, found);
    this.#isAfterBegin = line.text.includes('-----BEGIN ');
    BEGIN.lastIndex = 0;
    for (let hit = BEGIN.exec(line.text); hit !== null; hit = BEGIN.exec(line.text)) {
      INLINE_BODY.lastIndex = BEGIN.lastIndex;
      const inline = INLINE_BODY.exec(line.text);
      const lead = inline?.groups?.['lead']?.length ?? 0;
      const end = INLINE_BODY.lastIndex === 0 ? BEGIN.lastIndex : INLINE_BODY.lastIndex;
      if (inline !== null)
        found.push({ start: line.start + inline.index + lead, end: line.start + end, kind: KIND });
      this.#isInside = /^[\s\\*|]*$/.test(line.text.slice(end));
      this.#hasBody = inline !== null;
      BEGIN.lastIndex = end;
    }
  }
}
