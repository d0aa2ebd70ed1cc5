import { rounds } from '../../../support/depth.ts';
import fc from '../../../support/property.ts';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../shared/base/json.ts';
import { createRedactor } from '../../../../server/libraries/redaction/index.ts';
import { cutAt, places, redactChunks } from './chunks.ts';

const known = (...values: string[]) => values.map((value, at) => ({ name: `S${at}`, value }));
const of = (...values: string[]) => createRedactor({ enabled: false, secrets: known(...values) });
const hex = (text: string): string => Buffer.from(text).toString('hex');
const entities = (text: string): string => Array.from(text, (char) => `&#${char.codePointAt(0)};`).join('');
const hexEntities = (text: string): string =>
  Array.from(text, (char) => `&#x${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()};`).join('');
const everyByte = (text: string): string => hex(text).replaceAll(/../g, (byte) => `%${byte}`);
const unitEscapes = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
const html = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const wrapped = (text: string): string => base64(text).replaceAll(/.{16}/g, '$&\r\n');

/** Encodings of a text, each with its decoder. */
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  component: encodeURIComponent,
  form: (text) => new URLSearchParams([['a', text]]).toString().slice(2),
  'lower hex': (text) => encodeURIComponent(text).replaceAll(/%../g, (byte) => byte.toLowerCase()),
  'every byte': everyByte,
  'encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  json,
  'json of json': (text) => json(json(text)),
  'unit escapes': unitEscapes,
  html,
  entities,
  hexEntities,
  markdown: (text) => text.replaceAll(/[\\`*_{}[\]()#+.!|<>~-]/g, '\\$&'),
  base64,
  'base64 after one byte': (text) => base64(`a${text}b`),
  'base64 of a login': (text) => base64(`user:${text}`),
  base64url: (text) => Buffer.from(`{"p":${JSON.stringify(text)}}`).toString('base64url'),
  'base64 of an address': (text) => base64(`?p=${encodeURIComponent(text)}&q=1`),
  'base64 in lines': wrapped,
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
  reversed: (text) => [...text].toReversed().join(''),
  'spelt with blanks': (text) => [...text].join(' '),
  hex,
  'hex in upper case': (text) => hex(text).toUpperCase(),
  'hex with colons': (text) => hex(text).replaceAll(/..(?=.)/g, '$&:'),
};

const value = fc
  .string({
    unit: fc.constantFrom(...'abcXYZ019 /+=&?#%"\'<>\\_-*.:;@!$éß漢😀'),
    minLength: 8,
    maxLength: 40,
  })
  .map((text) => text.trim())
  .filter((text) => text.length >= 8 && !/\s\s/.test(text) && text.isWellFormed());
const around = fc
  .oneof(
    fc.string({ maxLength: 20 }),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom('\\', '%', '&', '&amp;', '%2', '\\u', '«redacted:', 'p=', '"', '{"a":"', '\n', '+', '«'),
  )
  .map((text) => text.toWellFormed());
/** Base64 continues if a letter follows: then it is another text. */
const isOpen = (form: string): boolean => form.startsWith('base64');

describe('known secrets', () => {
  describe.each(Object.keys(FORMS))('in the form %s', (form) => {
    const write = FORMS[form] ?? String;

    it('never come out, wherever they are and however the text is cut', async () => {
      await fc.assert(
        fc.asyncProperty(value, around, around, places, async (secret, before, after, cuts) => {
          const redactor = of(secret);
          const written = write(secret);
          const gap = isOpen(form) ? ' ' : '';
          const text = `${before}${gap}${written}${gap}${after}`;
          const cleaned = redactor.text(text);
          expect(cleaned).not.toContain(isOpen(form) ? written.slice(4, -4) : written);
          expect(cleaned).toContain('«redacted:secret-S0»');
          expect((await redactChunks(cutAt(text, cuts), redactor)).text).toBe(cleaned);
        }),
        { numRuns: rounds(150, 15) },
      );
    });
  });

  it('do not change other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(of('correct horse battery', 'Tr0ub4dor&3').text(text.toWellFormed())).toBe(
          text.toWellFormed(),
        );
      }),
      { numRuns: rounds(2_000, 200) },
    );
    for (const text of [
      'correct hors',
      'correct horse batters',
      'Tr0ub4dor and 3',
      'Tr0ub4dor&3'.slice(1),
      '%54%72%30',
      '\\\\',
      'VHI',
    ])
      expect(of('correct horse battery', 'Tr0ub4dor&3').text(text)).toBe(text);
  });

  it('leave nothing of one that overlaps another', () => {
    expect(of('abcdefgh', 'efghijkl').text('xabcdefghijklx')).toBe('x«redacted:secret-S0»x');
    expect(of('abcdefgh', 'abcdefghijkl').text('xabcdefghijklx')).toBe('x«redacted:secret-S1»x');
    expect(of('aaaa').text('a'.repeat(1_000))).toBe('«redacted:secret-S0»');
  });

  it('go where a text was cut off within one', () => {
    const secret = 'correct-horse-battery';
    expect(of(secret).text(`The word is ${secret.slice(0, 18)}`)).toBe('The word is «redacted:secret-S0»');
    expect(of(secret).text(`The word is ${secret.slice(0, 7)}`)).toBe('The word is correct');
  });

  it('are marked once, whatever the mark itself looks like', () => {
    for (const secret of ['redacted', 'secret', 'secret-S0', 'redacted:secret-S0'])
      expect(of(secret).text(of(secret).text(`a ${secret} b`))).toBe('a «redacted:secret-S0» b');
    // A page cannot hide a secret behind a fake mark.
    expect(of('hunter22').text('«redacted:hunter22»')).toBe('«redacted:«redacted:secret-S0»»');
  });

  it('are found in names, leaves and numbers of a value, and do not come out at any depth', () => {
    const redactor = of('hunter22', '48291375');
    let deep: JsonValue = 'hunter22';
    for (let level = 0; level < 50_000; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep };
    let found: JsonValue | undefined = redactor.value(deep);
    while (typeof found === 'object' && found !== null)
      found = Array.isArray(found) ? found[0] : (found as JsonObject)['a'];
    expect(found).toBe('«redacted:nested»');
    expect(redactor.value({ hunter22: 1, 'x hunter22': [48291375, 148291375], __proto__x: 'a' })).toEqual({
      '«redacted:secret-S0»': 1,
      'x «redacted:secret-S0»': ['«redacted:secret-S1»', 148291375],
      __proto__x: 'a',
    });
    expect(redactor.value({ hunter22: 1, '%68unter22': 2 })).toEqual({
      '«redacted:secret-S0»': 1,
      '«redacted:secret-S0»#2': 2,
    });
    const untouched = { a: ['b', { c: 4829137 }] };
    expect(redactor.value(untouched)).toBe(untouched);
  });

  it('are found by the full redactor where invisible characters split them, and before it takes a part', async () => {
    const redactor = createRedactor({ enabled: true, secrets: known('hunter22 password=Xk29!vPqLm') });
    expect(redactor.text('I say hunter22 pass\u200bword=Xk29!vPqLm here')).not.toMatch(/hunter22|vPq/);
    expect(redactor.text('hunter22 password=Xk29!vPqLm')).toBe('«redacted:secret-S0»');
    const address = await createRedactor({ enabled: true, secrets: known('p&ss?w#rd') }).exchange({
      request: { url: 'https://a.test/x?q=p&s\u200bs?w#rd', headers: [], queryString: [] },
    });
    expect(address.entry).toEqual({
      request: { url: expect.not.stringMatching(/w#rd/) as string, headers: [], queryString: [] },
    });
  });

  it('keep addresses ASCII, and base64 decodable', async () => {
    const redactor = createRedactor({ enabled: true, secrets: known('hunter22') });
    const binary = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('hunter22'), Buffer.from([0xff])]);
    const { entry, report } = await redactor.exchange({
      request: { url: 'https://a.test/hunter22?q=hunter22' },
      response: { content: { encoding: 'base64', text: base64('say hunter22 now'), mimeType: 'x/y' } },
      _webSocketMessages: [
        { opcode: 2, data: binary.toString('base64') },
        { opcode: 1, data: 'hunter22' },
      ],
    });
    const mark = encodeURIComponent('«redacted:secret-S0»');
    expect(entry).toEqual({
      request: { url: `https://a.test/${mark}?q=${mark}` },
      response: {
        content: { encoding: 'base64', text: base64('say «redacted:secret-S0» now'), mimeType: 'x/y' },
      },
      _webSocketMessages: [
        { opcode: 2, data: base64('«redacted:secret-S0»') },
        { opcode: 1, data: '«redacted:secret-S0»' },
      ],
    });
    expect(report.secrets['secret-S0']).toBe(5);
  });

  it('are looked for in a time that grows with the text and no faster', () => {
    const secrets = Array.from({ length: 50 }, (_, at) => ({
      name: `S${at}`,
      value: `s3cret-${at}-aaaaaaaaaaaa`,
    }));
    const redactor = createRedactor({ enabled: false, secrets });
    const units = rounds(20_000, 4_000);
    for (const part of ['s3cret-', '%73', '\\\\', '&#115;', 'a', 'czNj', ' ', '+', '«redacted:'])
      expect(questions(redactor, part, units * 2)).toBeLessThan(questions(redactor, part, units) * 2.2 + 200);
  });
});

/** How often a redactor reads a unit of a text: its work, without a clock. */
function questions(redactor: ReturnType<typeof createRedactor>, part: string, units: number): number {
  const original = String.prototype.charCodeAt;
  const text = part.repeat(Math.ceil(units / part.length));
  let asked = 0;
  String.prototype.charCodeAt = function charCodeAt(this: string, at: number): number {
    asked += 1;
    return original.call(this, at);
  };
  try {
    redactor.text(text);
  } finally {
    String.prototype.charCodeAt = original;
  }
  return asked;
}
