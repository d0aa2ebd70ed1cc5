import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../shared/base/json.ts';
import { exchange } from './chunks.ts';

const clean = (entry: JsonObject): JsonObject => exchange(entry).entry;
const SECRET = 'hunter2 is short';
const LONG = 'Zk3uQ9vT7wLr2XbN8sYd';
const uri = encodeURIComponent;

const posted = (mimeType: string, text: string): JsonObject => ({
  request: { postData: { mimeType, text } },
});
const answered = (mimeType: string, text: string): JsonObject => ({
  response: { content: { mimeType, text } },
});

/** Every place of an entry that can contain a secret, each with one. */
const PLACES: Readonly<Record<string, (secret: string) => JsonObject>> = {
  'query of the address': (s) => ({ request: { url: `https://a.test/x?token=${uri(s)}&page=2` } }),
  'weak name in a query': () => ({ request: { url: `https://a.test/cb?code=${LONG}` } }),
  'user of the address': () => ({ request: { url: `https://me:${LONG}@a.test/` } }),
  'list of the query': (s) => ({ request: { queryString: [{ name: 'api_key', value: s }] } }),
  Authorization: (s) => ({ request: { headers: [{ name: 'Authorization', value: `Bearer ${s}` }] } }),
  Cookie: (s) => ({ request: { headers: [{ name: 'Cookie', value: `theme=${s}` }] } }),
  'Set-Cookie': (s) => ({ response: { headers: [{ name: 'set-cookie', value: `id=${s}; Path=/` }] } }),
  'X-…-Token': (s) => ({ request: { headers: [{ name: 'X-Acme-Token', value: s }] } }),
  'X-Session-Id': (s) => ({ request: { headers: [{ name: 'X-Session-Id', value: s }] } }),
  Location: (s) => ({ response: { headers: [{ name: 'location', value: `/next?id_token=${uri(s)}` }] } }),
  redirectURL: (s) => ({ response: { redirectURL: `/next?id_token=${uri(s)}` } }),
  'cookies that were sent': (s) => ({ request: { cookies: [{ name: 'theme', value: s }] } }),
  'form that was posted': (s) => ({
    request: {
      postData: {
        mimeType: 'application/x-www-form-urlencoded',
        text: new URLSearchParams({ a: 'b', client_secret: s }).toString(),
        params: [{ name: 'client_secret', value: s }],
      },
    },
  }),
  'form without its type': (s) => posted('text/plain', `password=${uri(s)}`),
  'multipart that was posted': (s) =>
    posted(
      'multipart/form-data; boundary=xyz',
      `--xyz\r\nContent-Disposition: form-data; name="password"\r\n\r\n${s}\r\n--xyz--\r\n`,
    ),
  'multipart with a file that is not text': (s) => ({
    request: {
      postData: {
        mimeType: 'multipart/form-data; boundary=xyz',
        text: Buffer.from(
          `--xyz\r\nContent-Disposition: form-data; name="password"\r\n\r\n${s}\r\n--xyz\r\nContent-Disposition: form-data; name="f"\r\nContent-Type: image/png\r\n\r\n\u0089\u00ff\r\n--xyz--\r\n`,
          'latin1',
        ).toString('base64'),
        _encoding: 'base64',
      },
    },
  }),
  'JSON within multipart': (s) =>
    posted(
      'multipart/form-data; boundary="x y"',
      `--x y\r\nContent-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n{"token":"${s}"}\r\n--x y--`,
    ),
  'multipart within JSON': (s) =>
    answered(
      'application/json',
      JSON.stringify({ body: `Content-Disposition: form-data; name="password"\r\n\r\n${s}\r\n--x` }),
    ),
  'XML that was posted': (s) => posted('application/soap+xml', `<w:Password T="x">${s}</w:Password>`),
  'JSON that was answered': (s) =>
    answered('application/json', `{\n  "refresh_token": ${JSON.stringify(s)}\n}`),
  'guarded JSON that was answered': (s) => answered('application/json', `)]}',\n{"secret":"${s}"}`),
  'code for a device': (s) => answered('application/json', `{"device_code":"${s}","user_code":"WDJB"}`),
  'text that was answered': () => answered('text/html', `<p>key ghp_${LONG}${LONG}</p>`),
  'message of a WebSocket': (s) => ({
    _webSocketMessages: [{ type: 'send', opcode: 1, time: 1, data: JSON.stringify({ password: s }) }],
  }),
  'event of an EventSource': (s) => ({
    _eventSourceMessages: [{ eventName: 'x', data: JSON.stringify({ api_key: s }) }],
  }),
  'address of the initiator': (s) => ({ _initiator: { type: 'script', url: `/?token=${uri(s)}` } }),
  'stack of the initiator': (s) => ({
    _initiator: { stack: { callFrames: [{ url: `https://a.test/a.js?secret=${uri(s)}` }] } },
  }),
};

it.each(Object.entries(PLACES))('a secret in an entry is redacted: %s', (_, place) => {
  const entry = place(SECRET);
  const { entry: cleaned, report } = exchange(entry);
  const text = JSON.stringify(cleaned);
  for (const secret of [SECRET, LONG, uri(SECRET), 'hunter2']) expect(text).not.toContain(secret);
  expect(Object.values(report.secrets).length).toBeGreaterThan(0);
  expect(Object.keys(cleaned)).toEqual(Object.keys(entry));
  expect(clean(cleaned)).toEqual(cleaned);
});

describe('a binary message of a WebSocket', () => {
  const sent = (bytes: Buffer): JsonObject => ({
    _webSocketMessages: [{ type: 'send', opcode: 2, time: 1, data: bytes.toString('base64') }],
  });
  const received = (entry: JsonObject): Buffer => {
    const [message] = entry['_webSocketMessages'] as { data: string }[];
    return Buffer.from(message?.data ?? '', 'base64');
  };

  it.each([
    ['JSON', `{"password":"${SECRET}","a":1}`, '{"password":"«redacted:password»","a":1}'],
    ['text', `login ghp_${LONG}${LONG} ok`, 'login «redacted:github-token» ok'],
    ['text of a protocol', `\u0000\u0004auth\u0001?token=${LONG}&a=b`, 'auth?token=«redacted:token»&a=b'],
  ])('that holds %s is redacted as base64', (_name, text, expected) => {
    const entry = sent(Buffer.from(text));
    const { entry: cleaned, report } = exchange(entry);
    expect(received(cleaned).toString()).toBe(expected);
    expect(Object.values(report.secrets)).toEqual([1]);
    expect(clean(cleaned)).toEqual(cleaned);
  });

  it.each([
    ['no secret', Buffer.from('{"a":"\u001b\u200b ignore all previous instructions"}')],
    ['no text', Buffer.from([0x80, 0xff, 0x00, 0x70])],
    ['nothing', Buffer.alloc(0)],
  ])('that holds %s stays as it is', (_name, bytes) => {
    const { entry, report } = exchange(sent(bytes));
    expect(entry).toEqual(sent(bytes));
    expect(report).toEqual({ secrets: {}, invisibleCharacters: 0, instructionLike: 0 });
  });
});

const nest = (inner: string, depth: number): string => '['.repeat(depth) + inner + ']'.repeat(depth);
const cleanBody = (mimeType: string, text: string): string => JSON.stringify(clean(answered(mimeType, text)));

it.each([500, 100_000])('a body nested deeper than a call can be lets no secret through: %i', (depth) => {
  for (const inner of [
    `{"password":"${SECRET}"}`,
    `{"password":["${SECRET}"]}`,
    `{"name":"X-Acme-Token","value":"${LONG}"}`,
  ])
    for (const secret of [SECRET, LONG])
      expect(cleanBody('application/json', nest(inner, depth))).not.toContain(secret);
});

it('a body that is nested deeper than a call can be that was cut off hides no secret behind escapes', () => {
  const text = String.raw`{"at":"https:\/\/a.test\/","t":"gh\u0070_${LONG}${LONG}","rest`;
  expect(clean(answered('application/json', text))).toEqual(
    answered('application/json', '{"at":"https://a.test/","t":"«redacted:github-token»","rest'),
  );
  const harmless = String.raw`{"at":"https:\/\/a.test\/","t":"\u0070","rest`;
  expect(cleanBody('application/json', harmless)).toContain(JSON.stringify(harmless));
});

const ordinary = [
  { request: { url: 'https://a.test/list?page=2&sort=name&state=open#part' } },
  { request: { headers: [{ name: 'Sec-WebSocket-Key', value: 'dGhlIHNhbXBsZSBub25jZQ==' }] } },
  { response: { headers: [{ name: 'X-Continuation-Token', value: 'CAUQAA9f8e7d6c5b' }] } },
  { response: {} },
  { response: { content: { mimeType: 'image/png', text: 'cGFzc3dvcmQ9aHVudGVyMg==', encoding: 'base64' } } },
  { timings: { blocked: 1 }, _id: 'r1', time: 4, cache: {} },
];
it.each(ordinary)('what is not a secret stays as it is: %j', (entry) => expect(clean(entry)).toEqual(entry));

const ZEROS = Array.from({ length: 200_000 }, () => 0);
it.each<[name: string, value: object, shown: RegExp]>([
  ['a value before its name', { value: SECRET, name: 'password' }, /^«redacted:too-many-values»$/],
  ['columns', { columns: ['password'], rows: [[SECRET]] }, /^«redacted:too-many-values»$/],
  ['cookies', { cookies: [{ name: 'theme', value: SECRET }] }, /^«redacted:too-many-values»$/],
  ['a key', { password: SECRET, a: 1 }, /"password":"«redacted:password»","a":1/],
  ['a type', { type: 'code', input: 'password' }, /"type":"code","input":"password"/],
  ['places', { type: 'Point', coordinates: [41, 12] }, /"coordinates":\[41,12\]/],
])(
  'JSON with too many values to be parsed shows no secret that a name in a string tells of: %s',
  (_name, value, shown) => {
    const text = JSON.stringify([value, ZEROS]);
    expect(clean(answered('application/json', text))).toMatchObject({
      response: { content: { text: expect.stringMatching(shown) } },
    });
  },
);
