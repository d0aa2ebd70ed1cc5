import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, it, vi } from 'vitest';
import { whyNoHar } from '../../network/unit/har.ts';
import { fetchAll, pngSize, unpack, verified, type Unpacked } from './unpack.ts';
import { launched } from '../../support/launched.ts';
import { createChain, pemOf, stampWith, startAuthority } from '../../support/timestamp-authority.ts';
import { PATIENCE } from '../../support/patience.ts';
import { answerAt } from '../../support/file-site.ts';
import { gunzipSync } from 'node:zlib';
import { WARCParser } from 'warcio';
import { itDeep } from '../../support/depth.ts';

type Replay = { readonly url: string; readonly served: readonly string[] };

/**
 * Serves a WACZ as a replay does: page list, index, record. Only from the records: anything that the archive lacks is a
 * 404, and addresses of the page's own origin lead back here.
 */
async function replay(wacz: Buffer): Promise<Replay> {
  const files = unzipSync(wacz);
  const textOf = (name: string): string => Buffer.from(files[name] ?? []).toString('utf8');
  const page = new URL((JSON.parse(textOf('pages/pages.jsonl').split('\n')[1] ?? '') as { url: string }).url);
  const index = new Map(
    textOf('indexes/index.cdx')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line.slice(line.indexOf(' {') + 1)) as Record<string, string>)
      .map((entry) => [entry['url'], entry]),
  );
  const warc = files['archive/data.warc.gz'] ?? new Uint8Array();
  const served: string[] = [];
  const port = await answerAt((request, response) => {
    const origin = `http://${request.headers.host}`;
    const entry = index.get(page.origin + request.url);
    if (entry === undefined) return void response.writeHead(404).end();
    const from = Number(entry['offset']);
    const member = gunzipSync(warc.subarray(from, from + Number(entry['length'])));
    void WARCParser.parse([member], {}).then(async (record) => {
      const body = Buffer.from((await record?.readFully(false)) ?? []);
      served.push(request.url ?? '');
      const isText = entry['mime']?.startsWith('text/') ?? false;
      response.writeHead(Number(record?.httpHeaders?.statusCode), {
        'content-type': record?.httpHeaders?.headers.get('content-type') ?? '',
      });
      response.end(isText ? body.toString('utf8').replaceAll(page.origin, origin) : body);
    });
  });
  return { url: `http://127.0.0.1:${port}${page.pathname}${page.search}`, served };
}

const SECRETS: Record<string, string> = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../fixtures/sites/evidence/secrets.json'), 'utf8'),
);

const CHAIN = createChain();
const authority = await startAuthority(stampWith(CHAIN));
const { site, server, ok, openTab } = await launched(
  ...['--evidence-timestamp-url', authority.url.replace('//', '//mill:st0ne@')],
);
const page = `${site.url}/evidence/`;
const STAMPED = { timestamp: { authority: 'CN=Mill time', is_trusted: true } };
/** Opens the page in a separate tab, and waits until it has planted everything. */
async function open(): Promise<string> {
  const tab = await openTab(page);
  await expect.poll(async () => (await server.call('read_page')).text).toContain('ready');
  return tab;
}

async function bundle(args: Record<string, unknown> = {}): Promise<Unpacked & { notes: string }> {
  const answer = await ok('oc_evidence_bundle', { output_mode: 'handle', ...args });
  const { output_handle: handle, mime_type: type } = answer.json<Record<string, string>>();
  expect(type).toBe('application/wacz');
  const unpacked = await unpack(await fetchAll(server, handle ?? ''));
  return { ...unpacked, notes: answer.notes };
}

const temporary = (): string[] => readdirSync(join(server.home, 'tmp'));

it('a page loaded for its bundle is all there, in forms that agree, without a secret', async () => {
  const tab = await open();
  // The page asks for its last address after its load: a bundle may be made before that.
  const { har, ...made } = await vi.waitFor(async () => {
    const one = await bundle({ reload: true });
    const all = JSON.parse(await one.text('network.har')) as {
      log: { entries: { request: { url: string } }[] };
    };
    const paths = all.log.entries.map(({ request }) => new URL(request.url).pathname);
    const asked = ['/evidence/', ...['site.css', 'app.js', 'frame.html'].map((name) => `/evidence/${name}`)];
    expect(paths).toEqual(expect.arrayContaining([...asked, '/__/echo']));
    return { ...one, har: all };
  }, PATIENCE);
  const { manifest } = made;
  expect(manifest.failed).toEqual([]);
  expect(made.names.toSorted()).toEqual(
    [...manifest.parts.map(({ name }) => name), 'manifest.json', 'timestamp.tst'].toSorted(),
  );
  expect(manifest).toMatchObject({ tab, url: page, reload: { status: 200, error: null } });

  const facts = await made.list('facts.json');
  const view = facts.find(({ kind }) => kind === 'view') as {
    client_area: { width: number; height: number };
    document: { width: number; height: number };
    device_pixel_ratio: number;
  };
  const { width, height } = view.client_area;
  expect(pngSize(await made.read('screenshot.png'))).toEqual({
    width: width * view.device_pixel_ratio,
    height: height * view.device_pixel_ratio,
  });
  expect(pngSize(await made.read('full-page.png')).height).toBe(
    view.document.height * view.device_pixel_ratio,
  );
  expect(view.document.height).toBeGreaterThan(2 * height);

  const read = async (format: string, more = {}) =>
    (await server.call('read_page', { format, ...more })).text;
  // The page works after its load, and the bundle may have read it before it is ready.
  await expect.poll(() => read('text'), PATIENCE).toContain('ready');
  const part = async (name: string): Promise<string> =>
    (await made.text(name)).replace(/\bstarting$|(?<=>)starting(?=<)/m, 'ready');
  const [start, body] = (await part('page.html')).split(/<head>.*<\/head>/s);
  expect(`${start?.replace('<!DOCTYPE html>\n', '')}${body}`).toBe(
    await read('html', { include_hidden: true }),
  );
  expect(await made.text('page.html')).toMatch(/^<!DOCTYPE html>\n<html.*<title>Młyn «redacted:/s);
  expect(await part('page.md')).toBe(await read('markdown'));
  expect(await part('page.snapshot.txt')).toBe(await read('snapshot'));

  expect(whyNoHar(har)).toBe('');
  for (const name of made.names) {
    const text = decoded(name, await made.read(name));
    for (const [place, secret] of Object.entries(SECRETS))
      expect(text.includes(secret), `${place} in ${name}`).toBe(false);
  }
  const counted = Object.keys(manifest.redaction.secrets);
  expect(counted).toEqual(
    expect.arrayContaining(['authorization', 'aws-access-key', 'cookie', 'csrf', 'github-token', 'password']),
  );
  expect(manifest.redaction.not_redacted).toEqual(['screenshot.png', 'full-page.png']);
  expect(made.notes).toMatch(/SHA-256 of the archive: [0-9a-f]{64}\./);
  expect(made.notes).toMatch(/Time stamp: \d{4}-/);
  expect(await verified(made.bytes, pemOf(CHAIN.root))).toMatchObject(STAMPED);
  expect(authority.asked.at(-1)?.headers.authorization).toMatch(/^Basic /);
  expect(temporary()).toEqual([]);
});

/** A member as text; for MHTML also its decoded parts. */
function decoded(name: string, bytes: Buffer): string {
  const text = bytes.toString('latin1');
  if (name !== 'page.mhtml') return text;
  const quoted = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const words = text.replaceAll(/=\?utf-8\?B\?([^?]*)\?=\s*/g, (_, word: string) =>
    Buffer.from(word, 'base64').toString(),
  );
  return `${text}\n${quoted}\n${words}`;
}

itDeep('a WACZ is replayed from its records alone', async () => {
  await open();
  const include = ['html', 'markdown', 'network'];
  const answer = await ok('oc_evidence_bundle', { reload: true, include, output_mode: 'handle' });
  const { output_handle: handle, mime_type: type } = answer.json<Record<string, string>>();
  expect(type).toBe('application/wacz');
  const bytes = await fetchAll(server, handle ?? '');
  const sealed = { manifest: { url: page, failed: [] }, ...STAMPED };
  expect(await verified(bytes, pemOf(CHAIN.root))).toMatchObject(sealed);
  const before = unzipSync(bytes)['evidence/page.md'];
  const { url, served } = await replay(bytes);
  await ok('navigate', { url });
  const { text } = await server.call('read_page');
  const lines = (markdown: string): string[] =>
    markdown.split('\n').filter((line) => /^(?:# |Deploy key)/.test(line));
  expect(lines(text)).toEqual(lines(Buffer.from(before ?? []).toString('utf8')));
  expect(lines(text)).toHaveLength(2);
  expect(text).toContain('Zażółć gęślą jaźń.');
  await expect.poll(() => served).toEqual(expect.arrayContaining(['/evidence/', '/evidence/site.css']));
});

it('the password of the authority is neither logged nor journalled', async () => {
  const journal = await server.call('oc_journal', { action: 'recent' });
  expect(journal.text).toContain('oc_evidence_bundle');
  expect(`${journal.text}${server.said()}`).not.toContain('st0ne');
});
