import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { OutputDescriptor, OutputPage } from '../../../shared/core/descriptor.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { file, redirect, serveFiles } from '../../support/file-site.ts';
import { makeEncryptedPdf, makePdf } from '../../support/pdf.ts';
import { launched } from '../../support/launched.ts';
import { itDeep } from '../../support/depth.ts';

const MIB = 1024 * 1024;
const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA'.padEnd(36, 'q')}`;
const BYTES = randomBytes(300_000);
const PDF = { 'content-type': 'application/pdf' };
const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

const { server, ok, failed } = await launched();
/** Requests of an address that no redirect may reach. */
let counted = 0;

const pdf = await makePdf([
  [{ text: 'First page of the report.', y: 700 }],
  [{ text: `The token is ${TOKEN}`, y: 700 }],
  [],
  [{ text: 'Last page of the report.', y: 700 }],
]);
const PRIVATE = file('a,b\n1,2\n', {
  'content-type': 'text/csv',
  'content-disposition': `attachment; filename="x.csv"; filename*=UTF-8''${encodeURIComponent('Zahlen März.csv')}`,
});
const isSignedIn = (cookie = ''): boolean => cookie.includes('strict=1') && cookie.includes('lax=1');
const site = await serveFiles({
  '/sign-in': file('<title>Signed in</title><h1>Welcome</h1>', {
    'content-type': 'text/html',
    'set-cookie': ['strict=1; HttpOnly; SameSite=Strict', 'lax=1; HttpOnly; SameSite=Lax'],
  }),
  '/private.csv': (response, request) =>
    (isSignedIn(request.headers.cookie) ? PRIVATE : file('Sign in first.', TEXT, 403))(response, request),
  '/hop': redirect('/hop-2', 301),
  '/hop-2': (response, request) =>
    redirect(`http://localhost:${request.socket.localPort}/plain.txt`)(response, request),
  '/to-file': redirect('file:///etc/passwd'),
  '/to-password': (response, request) =>
    redirect(`http://user:word@localhost:${request.socket.localPort}/counted`)(response, request),
  '/counted': (response) => {
    counted += 1;
    response.end('not to be had');
  },
  '/plain.txt': file('plain text\n', TEXT),
  '/data.bin': file(BYTES, { 'content-type': 'application/octet-stream' }),
  '/report.pdf': file(pdf, PDF),
  '/report': file(pdf, {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename=report.pdf',
  }),
  '/to-report': redirect('/report'),
  '/locked.pdf': file(makeEncryptedPdf('For the miller', { user: 'miller', owner: 'owner' }), PDF),
  '/slow': (response) => {
    response.writeHead(200, { 'content-type': 'application/zip' }).write(randomBytes(1_000));
  },
});

const get = (path: string, args: Record<string, unknown> = {}): Promise<CallAnswer> =>
  server.call('fetch', { url: site.url(path), ...args });

async function bytesOf(answer: CallAnswer): Promise<{ descriptor: OutputDescriptor; sha256: string }> {
  expect(answer.isError, answer.text).toBe(false);
  const descriptor = answer.json<OutputDescriptor>();
  const hash = createHash('sha256');
  for (let offset: number | null = 0; offset !== null;) {
    const read = { output_handle: descriptor.output_handle, offset, limit: 8 * MIB };
    const page: OutputPage = (await server.call('oc_output_fetch', read)).json<OutputPage>();
    hash.update(Buffer.from(String(page.content), 'base64'));
    offset = page.next_offset;
  }
  return { descriptor, sha256: hash.digest('hex') };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

it('a text comes with the cookies of the session, SameSite=Strict ones too, and its name', async () => {
  const before = await get('/private.csv');
  expect(before.text).toBe('Sign in first.');
  expect(before.notes).toContain("HTTP 403: this is the server's error page");
  expect(before.notes).toContain('navigate');
  await server.call('navigate', { url: site.url('/sign-in') });
  const { text, notes, isError } = await get('/private.csv');
  expect(isError).toBe(false);
  expect(text).toBe('a,b\n1,2\n');
  expect(notes).toContain('"Zahlen März.csv", text/csv, 8 bytes, HTTP 200');
  expect(notes).toContain('Untrusted page text');
});

it('a text follows redirects to another host and names each', async () => {
  const { text, notes } = await get('/hop');
  expect(text).toBe('plain text\n');
  expect(notes).toContain(`${site.url('/hop')} (301), ${site.url('/hop-2')} (302)`);
  expect(notes).toContain(`to http://localhost:${site.port}/plain.txt`);
});

it('bytes are the same in the store, with their type', async () => {
  const answer = await get('/data.bin');
  const { descriptor, sha256: found } = await bytesOf(answer);
  expect(descriptor).toMatchObject({ mime_type: 'application/octet-stream', size_bytes: BYTES.length });
  expect(found).toBe(sha256(BYTES));
  expect(answer.notes).toContain('Larger than 32 KiB: stored instead of returned inline.');
  expect(answer.notes).toContain('not redacted');
});

it.each([
  ['file:///etc/passwd', 'url_not_allowed'],
  ['http://user:word@127.0.0.1/', 'url_not_allowed'],
  ['http://127.0.0.1:1/', 'navigation_failed'],
  ['http://nowhere.invalid/', 'dns_failed'],
])('what fails %s is %s', async (url, code) => {
  expect((await server.call('fetch', { url })).code()).toBe(code);
});

it('what fails a redirect to another scheme, or to an address that no call may name', async () => {
  expect((await get('/to-file')).code()).toBe('navigation_failed');
  expect((await get('/to-password')).isError).toBe(true);
  expect(counted).toBe(0);
});

itDeep('what fails a cancelled call ends the request', async () => {
  const abort = new AbortController();
  const call = server.call('fetch', { url: site.url('/slow') }, abort.signal).catch(() => undefined);
  await expect.poll(() => site.open).toBe(1);
  abort.abort();
  await call;
  await expect.poll(() => site.open).toBe(0);
});

it('a PDF is its text by page, redacted', async () => {
  const { text, notes } = await get('/report.pdf');
  expect(text).toMatch(/^## Page 1\n\nFirst page of the report\.\n\n## Page 2\n\nThe token is «redacted/);
  expect(text).toContain('## Page 4\n\nLast page of the report.');
  expect(notes).toContain('PDF: text of all pages (4).');
  expect(notes).toContain('No text on pages 3: scanned, drawn or empty.');
  expect(notes).toContain('as: "bytes"');
});

itDeep('a PDF with a password is an error in a call and in a tab, and its bytes can be had', async () => {
  expect((await get('/locked.pdf')).code()).toBe('pdf_encrypted');
  await server.call('navigate', { url: site.url('/locked.pdf') });
  expect((await server.call('read_page')).code()).toBe('pdf_encrypted');
  const { descriptor } = await bytesOf(await get('/locked.pdf', { as: 'bytes', output_mode: 'handle' }));
  expect(descriptor.mime_type).toBe('application/pdf');
});

itDeep('a PDF in a tab is read by read_page', async () => {
  await server.call('navigate', { url: site.url('/report.pdf') });
  await expect.poll(async () => (await server.call('read_page')).text).toContain('## Page 4\n\nLast page');
  expect((await server.call('read_page', { format: 'text' })).text).toMatch(/^\[Page 1\]\n\nFirst page/);
  expect((await server.call('read_page', { format: 'snapshot' })).code()).toBe('page_is_pdf');
  const waitFor = { text: 'First page', selector: 'embed', timeout_ms: 1_000 };
  const waited = await server.call('read_page', { format: 'text', wait_for: waitFor });
  expect(waited.text).toMatch(/^\[Page 1\]\n\nFirst page/);
  expect(waited.notes).toContain('wait_for: the tab shows a PDF, in which nothing can be waited for.');
});

it.each([
  ['/report', true],
  ['/to-report', false],
])('a download by navigation names the file and offers fetch: %s, new tab: %s', async (path, isNewTab) => {
  const { tab } = (await ok('navigate', { url: site.url('/sign-in') })).json<{ tab: string }>();
  if (isNewTab) await ok('tabs', { action: 'close', tab });
  const error = await failed('navigate', { url: site.url(path) });
  expect(error.code).toBe('not_a_page');
  expect(error.message).toMatch(/"report\.pdf", application\/octet-stream, \d+ bytes/);
  expect(error.message).toContain(site.url('/report'));
  expect(error.hint).toContain('call fetch with the url');
});
