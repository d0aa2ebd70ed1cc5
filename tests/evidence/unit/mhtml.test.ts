import { describe, expect, it } from 'vitest';
import fc from '../../support/property.ts';
import { redactMhtml, base64, identity, quotedPrintable } from '../../../server/evidence/mhtml.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';

const SECRET = `ghp_${'a1B2c3D4'.repeat(5)}`;

async function* cut(whole: string, at: readonly number[]): AsyncGenerator<string, void> {
  const ends = [...at.map((end) => end % (whole.length + 1)), whole.length].sort((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    yield whole.slice(from, end);
    from = end;
  }
}

const cuts = fc.array(fc.nat(), { maxLength: 12 });
const anyBytes = fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes));
/** Texts for the rules of quoted-printable: breaks, blanks, escapes, long lines. */
const lines = fc
  .array(fc.constantFrom('a', '=', ' ', '\t', '\r', '\n', '\r\n', ' \r\n', 'é', '=3D', 'x'.repeat(80)), {
    maxLength: 60,
  })
  .map((parts) => Buffer.from(parts.join(''), 'utf8'));

describe.each([
  ['quoted-printable', quotedPrintable],
  ['base64', base64],
  ['8bit', identity],
] as const)('%s', (name, transfer) => {
  it('gives the bytes back', () => {
    fc.assert(
      fc.property(fc.oneof(anyBytes, lines), (bytes) => {
        const text = transfer.encode(bytes);
        expect(transfer.decode(text).equals(bytes)).toBe(true);
        if (name === '8bit') return;
        expect(text).toMatch(/^[\t\r\n -~]*$/);
        expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(76);
      }),
    );
  });
});

it('gives back a part in another charset, byte by byte, without the secret in it', async () => {
  const around = Buffer.from([0x82, 0xa0, 0xad, 0x80, 0x9f, 0xff]);
  const bytes = Buffer.concat([around, Buffer.from(` ${SECRET} `), around]);
  const { text } = await clean(mhtmlOf([part('base64', base64.encode(bytes), 'text/html')]));
  const [, body = ''] = /fixture\.test\/\r\n\r\n(.+?)\r\n--/s.exec(text) ?? [];
  const cleaned = base64.decode(body);
  expect(cleaned.subarray(0, 6)).toEqual(around);
  expect(cleaned.subarray(-6)).toEqual(around);
  expect(cleaned.toString('latin1')).not.toContain(SECRET);
});

const BOUNDARY = '----MultipartBoundary--x1----';

function mhtmlOf(parts: readonly TestPart[], subject = 'Mill', location = 'http://fixture.test/'): string {
  const head = [
    'From: <Saved by Blink>',
    `Snapshot-Content-Location: ${location}`,
    `Subject: ${subject}`,
    'Date: Fri, 20 Nov 2026 10:00:00 GMT',
    'MIME-Version: 1.0',
    'Content-Type: multipart/related;',
    '\ttype="text/html";',
    `\tboundary="${BOUNDARY}"`,
  ].join('\r\n');
  const bodies = parts.map(({ type, encoding, location: at, body }) =>
    [
      `--${BOUNDARY}`,
      `Content-Type: ${type}`,
      `Content-Transfer-Encoding: ${encoding}`,
      `Content-Location: ${at}`,
      '',
      body,
    ].join('\r\n'),
  );
  return `${head}\r\n\r\n\r\n${bodies.join('\r\n')}\r\n--${BOUNDARY}--\r\n`;
}

const part = (encoding: string, body: string, type = 'text/html') => {
  return { type, encoding, location: 'http://fixture.test/', body };
};
type TestPart = ReturnType<typeof part>;

async function clean(
  text: string,
  at: readonly number[] = [],
): Promise<{ text: string; counts: object; opaque: number }> {
  const cleaned = redactMhtml(cut(text, at), createRedactor({ enabled: true }));
  let out = '';
  for await (const chunk of cleaned.chunks) out += chunk;
  return { text: out, counts: cleaned.report().secrets, opaque: cleaned.opaqueParts() };
}

const quoted = (text: string): string => quotedPrintable.encode(Buffer.from(text));
const encoded = (text: string): string => base64.encode(Buffer.from(text));

it('MHTML without a secret passes as it came', async () => {
  const html = `<p>Zażółć ${'gęślą '.repeat(40)}</p>\r\n <b>=</b> \r\n`;
  const text = mhtmlOf(
    [
      part('quoted-printable', quoted(html)),
      part('base64', encoded(html), 'text/css'),
      part('base64', 'AAAA', 'image/png'),
    ],
    '=?utf-8?Q?Za=C5=BC=20=C3=B3?=',
  );
  await fc.assert(
    fc.asyncProperty(cuts, async (at) => {
      expect(await clean(text, at)).toEqual({ text, counts: {}, opaque: 1 });
    }),
    { numRuns: 40 },
  );
});

it.each(['text/html', 'image/svg+xml', 'application/json', 'text/html; charset=utf-8'])(
  'MHTML loses a secret in %s, whatever the encoding and the cuts',
  async (type) => {
    const long = `<p>${'x'.repeat(70)} token: ${SECRET} ${'é'.repeat(30)}</p>`;
    const parts = [
      part('quoted-printable', quoted(long), type),
      part('base64', encoded(long), type),
      part('8bit', long, type),
    ];
    const text = mhtmlOf(parts);
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const cleaned = await clean(text, at);
        expect(plainOf(cleaned.text)).not.toContain(SECRET);
        expect(cleaned.counts).toEqual({ 'github-token': 3 });
      }),
      { numRuns: 20 },
    );
  },
);

it('MHTML loses one in an address and in the title, and the page still finds its part', async () => {
  const address = `http://fixture.test/i.svg?access_token=${SECRET}`;
  const html = `<img src="${address}">`;
  const picture = { ...part('base64', 'AAAA', 'image/png'), location: address };
  const title = `=?utf-8?Q?Key=20${SECRET}?=`;
  const { text } = await clean(mhtmlOf([part('quoted-printable', quoted(html)), picture], title, address));
  expect(plainOf(text)).not.toContain(SECRET);
  const [, location = ''] = /^Content-Location: (.*access_token.*?)\r$/m.exec(text) ?? [];
  const [, source = ''] = /src="([^"]*)"/.exec(plainOf(text)) ?? [];
  expect(new URL(source).href).toBe(location);
  expect(text).toMatch(/^Subject: =\?utf-8\?B\?/m);
});

function plainOf(mhtml: string): string {
  const plain = mhtml.split(`--${BOUNDARY}`).map((block) => {
    const [head = '', ...rest] = block.split('\r\n\r\n');
    const words = head.replaceAll(/=\?utf-8\?B\?([^?]*)\?=/g, (_, word: string) =>
      Buffer.from(word, 'base64').toString(),
    );
    const transfer = /base64/.test(head) ? base64 : /quoted/.test(head) ? quotedPrintable : identity;
    return words + transfer.decode(rest.join('\r\n\r\n')).toString();
  });
  return plain.join('\n');
}
