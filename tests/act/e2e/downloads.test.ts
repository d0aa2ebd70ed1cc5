import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { itDeep, sample } from '../../support/depth.ts';
import { createProfile, spawnChromium, type TestChromium, type TestProfile } from '../../support/browser.ts';
import { calling } from '../../support/calling.ts';
import { defer } from '../../../shared/base/async.ts';
import { file, serveFiles, type FileSite } from '../../support/file-site.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const CSV = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="report.csv"' };

const PAGE = `<!doctype html><title>Files</title><h1>Files</h1>
  <a id="named" download="own.csv" href="/plain">Named</a>
  <a id="attached" href="/report">Attached</a>
  <a id="blank" target="_blank" href="/report">Blank</a>
  <button id="blob" onclick="save('blob.txt', window.URL.createObjectURL(new Blob(['hello'])))">Blob</button>
  <a id="slow" href="/slow">Slow</a> <a id="slow-blank" target="_blank" href="/slow">Slow blank</a>
  <a id="breaks" href="/slow?broken">Breaks</a> <a id="breaks-blank" target="_blank" href="/slow?broken">Breaks blank</a>
  <a id="secret" href="/plain?token=ghp_0123456789abcdefghijABCDEFGHIJ012345" download="ghp_0123456789abcdefghijABCDEFGHIJ012345.csv">Secret</a>
  <a id="long" href="/plain" download>Long</a><button id="none">None</button>
  <a id="program" href="/program">Program</a>
  <iframe src="http://other.test:PORT/widget"></iframe>
  <script>function save(name, href) { const a = document.createElement('a'); a.download = name; a.href = href; a.click() }
    document.getElementById('long').download = 'x'.repeat(180) + '.csv'</script>`;
const FILE = { 'content-type': 'application/octet-stream' };
const FILES = { '/binary': 'application/octet-stream', '/archive': 'application/zip', '/odd': 'x/y' };
const WIDGET = `<!doctype html><a id="inner" href="/report">Inner</a>`;

let site: FileSite;
let profile: TestProfile;
let browser: TestChromium;
let server: StdioServer;
let folder: string;
/** For `/slow`: sends half of the file, and the rest when the test allows. */
let gate = defer<'rest' | 'break'>();

beforeAll(async () => {
  site = await serveFiles({
    '/page': (response) => void response.writeHead(200, HTML).end(PAGE.replaceAll('PORT', String(site.port))),
    '/widget': file(WIDGET, HTML),
    '/plain': file('a,b\n', { 'content-type': 'text/csv' }),
    '/report': file('a,b,c\n', CSV),
    ...Object.fromEntries(
      Object.entries(FILES).map(([path, type]) => [path, file('unwanted', { 'content-type': type })]),
    ),
    '/program': file('MZ\0', { ...FILE, 'content-disposition': 'attachment; filename="tool.csv"' }),
    '/to-report': (response) => void response.writeHead(302, { location: '/report' }).end(),
    '/frames': file('<h1>Frames</h1><iframe src="/report"></iframe><iframe src="/to-report"></iframe>', HTML),
    '/leaves': file('<meta http-equiv="refresh" content="0;url=/report">', HTML),
    '/script': file('<script>location.href = "/report"</script>', HTML),
    '/slow': (response) => {
      response.writeHead(200, { ...CSV, 'content-length': 400_000 });
      response.write('x'.repeat(200_000));
      void gate.promise.then((how) =>
        how === 'rest' ? response.end('y'.repeat(200_000)) : response.destroy(),
      );
    },
  });
  profile = createProfile();
  folder = join(profile.folder, 'saved');
  mkdirSync(join(profile.profile, 'Default'), { recursive: true });
  // People allow a site to download several files when the browser asks them.
  const preferences = {
    download: { default_directory: folder, prompt_for_download: false },
    profile: { default_content_setting_values: { automatic_downloads: 1 } },
  };
  writeFileSync(join(profile.profile, 'Default/Preferences'), JSON.stringify(preferences));
  browser = await spawnChromium({ profile });
  server = await startServer({ env: browser.serverEnv, args: ['--download-root', profile.folder] });
});
afterAll(async () => {
  gate.resolve('break');
  await server.close();
  await browser.close();
});

const calls = calling(() => server);
const ok = async (name: string, args: Record<string, unknown>) => (await calls.ok(name, args)).text;
const open = (): Promise<string> => calls.openTab(site.url('/page'));

/** Waits until the first half of the slow file has arrived. Returns the answer. */
async function begun(tab: string): Promise<string> {
  let text = '';
  const ask = async (): Promise<string> =>
    (text = await ok('wait_for', { tab, download: true, timeout_ms: 500 }));
  const begins = /^download "report.csv" is (?:at 200 KB of 400 KB|in progress) http\S+\/slow(?:\?broken)?$/m;
  await expect.poll(ask, PATIENCE).toMatch(begins);
  return text;
}

const WAYS: readonly (readonly [target: string, name: string, size: string])[] = [
  ['css=#named', 'own.csv', '4 bytes'],
  ['css=#blob', 'blob.txt', '5 bytes'],
  ['css=#blank', 'report.csv', '6 bytes'],
  ['css=#inner', 'report.csv', '6 bytes'],
];

test.each(sample(WAYS, 2))(
  'what %s begins in a hidden tab is named when it has ended, and the page stays',
  async (target, name, size) => {
    const tab = await open();
    const receipt = await ok('interact', { tab, steps: [`click ${target}`, 'wait download'] });
    expect(receipt).toContain(`download "${name}" completed, ${size} `);
    expect(receipt).not.toMatch(/^(?:url|title|error|still loading|opened) /m);
    expect(await ok('read_page', { tab, format: 'text' })).toContain('Files');
    if (name === 'blob.txt') expect(readFileSync(join(folder, name), 'utf8')).toBe('hello');
    expect(await ok('wait_for', { tab, download: true, timeout_ms: 50_000 })).toMatch(
      /^After \d+ ms: download\.\ndownload "[\w.]+" completed/,
    );
  },
);

describe.each(sample(['-blank', ''], 2))('a slow one%s', (way) => {
  it('is in progress until it has ended, and nothing waits for it that was not told to', async () => {
    gate = defer();
    const tab = await open();
    const receipt = await ok('interact', { tab, steps: [`click css=#slow${way}`] });
    expect(receipt).not.toContain('still loading');
    expect(await begun(tab)).toMatch(/^Timed out after \d+ ms without download\.\n/);
    const waiting = ok('wait_for', { tab, download: true, timeout_ms: 50_000 });
    gate.resolve('rest');
    expect(await waiting).toMatch(/^After \d+ ms: download\.\ndownload "report.csv" completed, 400 KB /);
    expect(await ok('interact', { tab, steps: ['click css=#none'] })).not.toContain('download');
  });
});

itDeep('no page that an agent goes to saves a file', async () => {
  const before = readdirSync(folder);
  const tab = await open();
  for (const path of ['/report', '/to-report', ...Object.keys(FILES), '/frames', '/leaves', '/script']) {
    const url = site.url(path);
    const answer = await server.call('navigate', { tab, url });
    if (answer.isError) expect(answer.text).toMatch(/"not_a_page".*which was not saved/s);
    await ok('tabs', { action: 'open', url });
  }
  // The earlier files would have been saved by now. An act would let its own tab save a late one.
  const tabToAct = await open();
  await ok('interact', { tab: tabToAct, steps: ['click css=#named', 'wait download'] });
  // The last pages, for which nothing waits, may still be leaving for a file.
  const pending = 'chrome.downloads.search({ state: "in_progress" })';
  await expect.poll(() => browser.scope.evaluate(pending)).toEqual([]);
  const saved = (): string[] => readdirSync(folder).filter((name) => !before.includes(name));
  await expect.poll(() => saved().filter((name) => !/^own(?: \(\d\))?\.csv$/.test(name))).toEqual([]);
});

interface Listed {
  readonly downloads: readonly { readonly id: number; readonly name: string; readonly state: string }[];
}

test('those of a tab are listed and taken, whole or not at all, and those of the person are not', async () => {
  const tab = await open();
  const downloads = (args: object = {}) => server.call('downloads', { tab, ...args });
  await ok('interact', { tab, steps: ['click css=#named'] });
  await browser.scope.evaluate(`chrome.downloads.download({ url: ${JSON.stringify(site.url('/binary'))} })`);
  const waited = await calls.ok('downloads', { tab, action: 'wait' });
  const [{ id = 0, name = '' } = {}, ...others] = waited.json<Listed>().downloads;
  expect([name, others]).toEqual([expect.stringMatching(/^own(?: \(\d\))?\.csv$/), []]);
  const handle = await downloads({ action: 'take', id });
  const { output_handle: stored } = handle.json<{ output_handle: string }>();
  expect(await ok('oc_output_fetch', { output_handle: stored })).toContain('a,b');
  await ok('downloads', { tab, action: 'take', id, save_as: 'taken.csv' });
  expect(readFileSync(join(profile.folder, 'taken.csv'), 'utf8')).toBe('a,b\n');
  const refused = async (code: string, args: object): Promise<void> =>
    expect((await downloads({ action: 'take', ...args })).code()).toBe(code);
  await refused('save_refused', { id, save_as: 'taken.csv' });
  await refused('download_refused', { id, save_as: 'taken.sh' });
  await refused('download_refused', { id: id + 1 });
  writeFileSync(join(folder, name), 'another file');
  await refused('download_refused', { id });
  await ok('interact', { tab, steps: ['click css=#program', 'wait download'] });
  const { downloads: all } = (await downloads()).json<Listed>();
  await refused('download_refused', { id: all.at(-1)?.id ?? 0 });
  expect(readdirSync(profile.folder).filter((one) => one.endsWith('.part'))).toEqual([]);
});
