import { BLANK, INVISIBLE_UNITS, readBase64, readChar, type Reader } from './forms.ts';

/** A value to look for, character by character. */
export interface Needle {
  readonly mark: string;
  readonly kind: string;
  readonly codes: readonly number[];
  readonly read: Reader;
  /** Pairs of units with which it can begin. */
  readonly starts: ReadonlySet<string>;
}

/** The first units of all forms of a character. */
function firstUnits(code: number): string[] {
  if (code === BLANK)
    return [...' \t\n\v\f\r\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff+%\\&'].concat(
      Array.from({ length: 11 }, (_, at) => String.fromCharCode(0x2000 + at)),
    );
  return [String.fromCodePoint(code).charAt(0), '%', '\\', '&'];
}

function textStarts(first: number, second: number): Set<string> {
  const char = String.fromCodePoint(first);
  const byte = Buffer.from(char, 'utf8')[0] ?? 0;
  const nibble = byte.toString(16).padStart(2, '0').charAt(0);
  const after = char.length === 2 ? [char.charAt(1)] : [...firstUnits(second), ...INVISIBLE_UNITS];
  return new Set([
    ...after.map((unit) => char.charAt(0) + unit),
    ...[nibble, nibble.toUpperCase(), '2'].map((digit) => `%${digit}`),
    ...['u', 'U', '\\', char.charAt(0)].map((unit) => `\\${unit}`),
    ...['#', 'a', 'A', 'l', 'L', 'g', 'G', 'q', 'Q'].map((unit) => `&${unit}`),
  ]);
}

const SYMBOL_UNITS: Readonly<Record<string, readonly string[]>> = {
  '+': ['+', '-', '%', '\\'],
  '/': ['/', '_', '%', '\\'],
};
const base64Units = (char: string): readonly string[] => SYMBOL_UNITS[char] ?? [char];

function base64Starts(first: string, second: string): Set<string> {
  const after = [...base64Units(second), '\r', '\n', '\\', '%'];
  const starts = base64Units(first).flatMap((unit) => after.map((next) => unit + next));
  if (SYMBOL_UNITS[first] !== undefined) starts.push('%2', '\\u', '\\U', '\\/', '\\_', '\\-', '\\\\');
  return new Set(starts);
}

/** The characters of base64 that a text alone decides, for each place in three bytes where it can begin. */
function base64Of(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
}

/** What is looked for to find one secret: its text, and its base64 as it is or escaped before. */
export function needlesOf(name: string, value: string): Needle[] {
  const kind = `secret-${name}`;
  const made = { kind, mark: `«redacted:${kind}»` };
  const codes = [...value.trim().replaceAll(/\s+/g, ' ')].map((char) =>
    char === ' ' ? BLANK : (char.codePointAt(0) ?? 0),
  );
  const [first = 0, second = 0] = codes;
  const sources = new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  const encoded = new Set([...sources].flatMap(base64Of));
  return [
    { ...made, codes, read: readChar, starts: textStarts(first, second) },
    ...[...encoded].map((text) => ({
      ...made,
      codes: Array.from(text, (char) => char.charCodeAt(0)),
      read: readBase64,
      starts: base64Starts(text.charAt(0), text.charAt(1)),
    })),
  ];
}
