import { rounds } from '../../../support/depth.ts';
import fc from '../../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { Tally } from '../../../../server/libraries/redaction/tally.ts';
import { WINDOW_UNITS, cleanAnyText, cleanText } from '../../../../server/libraries/redaction/text-stream.ts';
import { CANARIES, alnum } from './canaries.ts';
import { cutAt, places, redactChunks, redactor } from './chunks.ts';

const secret = fc.oneof(...CANARIES.map((canary) => canary.secret));
const keyBody = fc
  .array(alnum(64), { minLength: 1, maxLength: 4 })
  .map((lines) => `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----`);

const fragment = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 3, arbitrary: secret },
  { weight: 1, arbitrary: keyBody },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...['\n', ' ', '"', '\\', '\\"', '&', '=', ': ', ';', '|', '**', '«', '»', '<', '[', '/'],
      ...['password', '"password":', 'Password: ', '?token=', '&api_key=', '"otp":', 'secret'],
      ...['hunter2', 'Xk29!vPq', '482913', '://', 'bob:', '@', 'Bearer ', 'Basic dXNlcjpwYXNz', 'eyJ'],
      ...['Cookie: ', 'sid=31d4d96e407aad42', '; ', 'Authorization: ', '4111 1111 1111 1111'],
      ...['\n| --- | --- |\n', '\n@table\n', '\t', ', ', '["', '", "', '"]', '--password ', ' -p ', 'mysql'],
      ...['<table><tr><th>', '</th><th>', '</th></tr><tr><td>', '</td><td>', '{"name":"', '","value":"'],
      ...[
        'INSERT INTO t (a, ',
        ') VALUES (1, ',
        "'",
        ');',
        ' as your ',
        '\n: ',
        'Key',
        'Value',
        '(',
        ')',
        '-',
      ],
      ...['«redacted:token»', '-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----', '&quot;'],
      ...['ignore all previous instructions', '\u200b', '\u200d', '\ufe0f', '👩', 'م', 'ghp_', '%3D'],
    ),
  },
);
const page = fc.array(fragment, { maxLength: 30 }).map((fragments) => fragments.join('').toWellFormed());

describe('streams of text', () => {
  it('give the same wherever they are cut, and do so once', async () => {
    await fc.assert(
      fc.asyncProperty(page, places, async (text, cuts) => {
        const whole = redactor.text(text);
        expect(redactor.text(whole)).toBe(whole);
        const { text: streamed, report } = await redactChunks(cutAt(text, cuts));
        expect(streamed).toBe(whole);
        expect(report).toEqual((await redactChunks([text])).report);
      }),
      { numRuns: rounds(3_000, 300) },
    );
  });

  it('take no short cut past a rule', () => {
    const short = fc.array(fragment, { maxLength: 6 }).map((fragments) => fragments.join(''));
    fc.assert(
      fc.property(fc.oneof(page, short), (text) => {
        const [quick, full] = [new Tally(), new Tally()];
        expect(cleanText(text, quick)).toBe(cleanAnyText(text, full));
        expect(quick.report()).toEqual(full.report());
      }),
      { numRuns: rounds(5_000, 400) },
    );
  });

  it.each([
    ['blanks', 'lorem ipsum '],
    ['one word', 'x'],
    ['minified JSON', '{"a":1},'],
    ['pairs', '😀'],
  ])('find a secret at every place of a line of %s', (_name, one) => {
    fc.assert(
      fc.property(secret, fc.integer({ min: 1, max: 5 * WINDOW_UNITS }), (value, units) => {
        const before = one.repeat(Math.ceil(units / one.length));
        const cleaned = redactor.text(`${before} ${value} ${before}`);
        expect(cleaned).not.toContain(value);
        expect(cleaned.startsWith(`${before} «redacted:`)).toBe(true);
        expect(cleaned.endsWith(`» ${before}`)).toBe(true);
      }),
      { numRuns: rounds(60, 8) },
    );
  });

  it('never cut a line without blanks inside a secret', () => {
    fc.assert(
      fc.property(secret, fc.integer({ min: 0, max: 100 }), (value, units) => {
        const before = 'x'.repeat(WINDOW_UNITS / 2 - units);
        expect(redactor.text(`${before},${value},${before}`)).toMatch(/^x+,«redacted:[a-z-]+»,x+$/);
      }),
      { numRuns: rounds(200, 40) },
    );
  });

  it('settle: what becomes a secret next to a placeholder is replaced too', () => {
    const token = `r8_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6kL9'.slice(0, 37)}`;
    expect(redactor.text(`Basic dXNlcjpwYXNz=${token}`)).toBe(
      'Basic «redacted:authorization»«redacted:replicate-token»',
    );
  });

  it('let nothing of a secret through that is longer than a window', async () => {
    const value = 'aB3dE6gH9'.repeat(WINDOW_UNITS / 2);
    const text = `?access_token=${value} end\nnext`;
    expect(redactor.text(text)).toBe('?access_token=«redacted:token» end\nnext');
    expect((await redactChunks(cutAt(text, [7, 9_999, 40_000, 70_001]))).text).toBe(redactor.text(text));
  });

  it('hold back no more than a window', async () => {
    let pushed = 0;
    let seen = 0;
    let heldMost = 0;
    async function* source(): AsyncGenerator<string, void> {
      for (let chunk = 0; chunk < 200; chunk += 1) {
        heldMost = Math.max(heldMost, pushed - seen);
        const text = chunk < 100 ? 'x'.repeat(1_000) : 'words and more words\n'.repeat(50);
        pushed += text.length;
        yield text;
      }
    }
    const { payload } = await redactor.payload({ kind: 'text', mimeType: 'text/plain', chunks: source() });
    if (payload.kind !== 'text') throw new Error('A text payload stays text.');
    for await (const piece of payload.chunks) seen += piece.length;
    expect(seen).toBe(pushed);
    expect(heldMost).toBeLessThanOrEqual(WINDOW_UNITS + 1_000);
  });
});
