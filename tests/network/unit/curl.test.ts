import { execFile } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { gapOf, writeCurl } from '../../../server/network/curl.ts';
import { answerAt } from '../../support/file-site.ts';

const run = promisify(execFile);
interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

const seen: Seen[] = [];
const port = await answerAt(async (request, response) => {
  const { method, url, headers } = request;
  seen.push({ method, url, headers, body: await buffer(request) });
  response.end();
});
const origin = `http://127.0.0.1:${port}`;
async function replay(request: object): Promise<Seen> {
  await run('sh', ['-c', writeCurl({ request: { ...request } })]);
  const last = seen.at(-1);
  if (last === undefined) throw new Error('The server saw no request.');
  return last;
}

const NASTY = `it's "$HOME" \`id\` \\ ! * ? [a-b] {x,y} ~ # & ; | <>\n\ttwo lines ü «redacted:token» -n %s`;
it('curl sends the same request through a shell, whatever it holds', async () => {
  const url = `${origin}/a'b;c?x=[1-3]&y={a,b}&$z=%20&w=!`;
  const value = NASTY.replaceAll(/[\n\t]|[^\x20-\x7e]/g, ' ');
  const headers = [
    { name: 'X-Nasty', value },
    { name: 'X-Empty', value: '' },
    { name: 'Content-Type', value: 'text/plain' },
    { name: 'Content-Length', value: '3' },
    { name: ':authority', value: 'a.test' },
  ];
  const got = await replay({ method: 'POST', url, headers, postData: { text: NASTY } });
  expect(got.method).toBe('POST');
  expect(got.url).toBe(url.slice(origin.length));
  expect(got.headers).toMatchObject({ 'x-nasty': value.trim(), 'x-empty': '', 'content-type': 'text/plain' });
  expect(got.body.toString()).toBe(NASTY);
});

it('curl sends bytes that are not text, and bodies that no argument can hold', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const postData = { text: bytes.toString('base64'), _encoding: 'base64' };
  const binary = await replay({ method: 'PUT', url: `${origin}/`, headers: [], postData });
  expect(binary.body.equals(bytes)).toBe(true);
  const postLegacy = { mimeType: 'text/plain; charset=windows-1252', text: "it's café €" };
  const legacy = await replay({ method: 'POST', url: `${origin}/`, headers: [], postData: postLegacy });
  expect(legacy.body.toString('hex')).toBe('6974277320636166e92080');
  const text = `${"it's %s \\n ".repeat(8_000)}end`;
  const long = await replay({ method: 'POST', url: `${origin}/`, headers: [], postData: { text } });
  expect(long.body.toString()).toBe(text);
  const unkept: object = { postData: { mimeType: '', comment: 'the body is too long' } };
  expect(gapOf({ request: { ...unkept } })).toBe('the body is too long');
});
