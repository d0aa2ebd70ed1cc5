import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { calling } from '../../support/calling.ts';
import { itDeep, sample } from '../../support/depth.ts';
import { serveSecrets, type SecretSite } from '../../../fixtures/secret-site.ts';
import { createProfile, spawnChromium, type TestChromium } from '../../support/browser.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import {
  byPlace,
  filesBelow,
  plantKnown,
  plantSecrets,
  SecretScanner,
  type SecretPlace,
} from '../../support/planted-secrets.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { secretsFolder, testFolder } from '../../support/test-folder.ts';

/*
 * One secret per redaction rule and place. Every capturing tool reads them in every way it can: none may appear in its
 * answers, in the store, or in logs. The browser's own profile, where the page itself stores them, is not searched.
 */
const known = plantKnown();
const secrets = [...plantSecrets(), ...known];
const scanner = new SecretScanner(secrets);
const folder = testFolder();
/** Not searched: it contains data that may be nowhere else. */
const { secrets: secretsFile } = secretsFolder(
  known.map(({ value }, at) => `KNOWN_${at}="${value}"\n`).join(''),
);
let site: SecretSite;
let browser: TestChromium;
let server: StdioServer;
const { ok } = calling(() => server);
let hostLog: string;
const logs: StdioServer[] = [];

async function start(): Promise<StdioServer> {
  const home = join(folder, 'home');
  const temporary = join(folder, 'tmp');
  for (const path of [home, temporary]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const args = ['--secrets', secretsFile, '--network-capture', 'on', '--log-level', 'debug'];
  const started = await startServer({
    args: [...args, '--sync-wait-ms', '60000'],
    env: { ...browser.serverEnv, TMPDIR: temporary },
    home,
  });
  logs.push(started);
  return started;
}

beforeAll(async () => {
  site = await serveSecrets(byPlace(secrets));
  const profile = createProfile();
  hostLog = join(profile.folder, 'host.log');
  // A browser keeps the standard error of its native host to itself.
  const launcher = join(profile.folder, 'spillway-host');
  writeFileSync(launcher, readFileSync(launcher, 'utf8').replace('"$@"', `"$@" 2>>'${hostLog}'`));
  browser = await spawnChromium({ profile });
  server = await start();
  await ok('navigate', { url: `${site.url}/?access_token=${secrets[0]?.value}` });
  await vi.waitFor(async () => expect((await server.call('tabs')).text).toContain('Secrets: done'), PATIENCE);
});
afterAll(async () => {
  await server.close();
  await browser.close();
  await site.close();
});

/** No part of a secret in an answer; bytes in it are decoded. */
function expectClean(answer: CallAnswer): void {
  expect(scanner.scanText(answer.text)).toEqual([]);
  expect(scanner.scanText(answer.notes)).toEqual([]);
  for (const block of answer.raw.content)
    if (block.type === 'resource' && 'blob' in block.resource)
      expect(scanner.scanBytes(Buffer.from(block.resource.blob, 'base64'))).toEqual([]);
}

/** No part of a secret in any file, nor in the output of any server or native host. */
function expectCleanDisk(): void {
  expect(filesBelow(join(folder, 'home')).length).toBeGreaterThan(1);
  expect(scanner.scanFolder(folder)).toEqual([]);
  for (const each of logs) expect(scanner.scanText(each.said())).toEqual([]);
  expect(scanner.scanBytes(readFileSync(hostLog))).toEqual([]);
}

const SCHEMA = { type: 'object', properties: { sku: { type: 'string' }, name: { type: 'string' } } };

/** Which call shows the secret planted in a place. */
const SHOWN_BY: Readonly<Record<SecretPlace, readonly [tool: string, args: Record<string, unknown>] | null>> =
  {
    query: requestTo('/query?**'),
    'request-header': requestTo('/header'),
    cookie: requestTo('/cookies/cookie'),
    'set-cookie': requestTo('/cookies/set'),
    'json-body': requestTo('/json'),
    'form-body': requestTo('/form'),
    'response-body': requestTo('/response'),
    'web-socket': requestTo('/socket'),
    'event-source': requestTo('/events'),
    text: ['read_page', { format: 'text' }],
    attribute: ['read_page', { format: 'html' }],
    comment: requestTo('/?access_token**'),
    console: ['console', {}],
    'json-ld': ['extract_data', { schema: SCHEMA, multiple: true, strategies: ['json_ld'] }],
    cell: ['extract_data', { schema: SCHEMA, multiple: true, strategies: ['tables'] }],
    // Its values never leave the page: bundles contain only the keys.
    'local-storage': null,
  };

function requestTo(path: string): readonly [string, Record<string, unknown>] {
  return ['network', { bodies: 'all', filter: { url: `**${path}` } }];
}

itDeep(
  'without redaction every secret shows that --secrets does not name: it was planted, and it is captured',
  async () => {
    const args = ['--secrets', secretsFile, '--network-capture', 'on', '--no-sanitize-content'];
    const open = await startServer({ args, env: browser.serverEnv });
    try {
      await open.call('navigate', { url: `${site.url}/?access_token=plain` });
      await vi.waitFor(async () => {
        const tabs = (await open.call('tabs')).json<{ tabs: { title: string; current?: boolean }[] }>().tabs;
        expect(tabs.find(({ current }) => current === true)?.title).toBe('Secrets: done');
      }, PATIENCE);
      for (const [place, call] of Object.entries(SHOWN_BY)) {
        if (call === null) continue;
        const answer = await open.call(...call);
        const found = new Set(scanner.scanText(answer.text).map((what) => what.split(' ', 2).join(' ')));
        const planted = secrets.filter((secret) => secret.place === place && secret.name !== 'known');
        expect([...found].filter((what) => what.endsWith(' known'))).toEqual([]);
        expect([...found]).toEqual(expect.arrayContaining(planted.map(({ name }) => `${place} ${name}`)));
      }
      const plan = await open.call('fetch', { url: '/plan.json' });
      for (const { name, value } of secrets)
        if (name === 'known') expect(plan.text).not.toContain(value);
        else expect(plan.text).toContain(JSON.stringify(value).slice(1, -1));
      expect(plan.text).toContain('«redacted:secret-KNOWN_0»');
    } finally {
      await open.close();
    }
  },
);

const MODES = [
  { output_mode: 'inline' },
  { output_mode: 'handle' },
  { output_mode: 'auto', output_inline_limit_bytes: 1_024 },
];
const CALLS: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ...['markdown', 'text', 'html', 'snapshot', 'nodes'].map(
    (format) => ['read_page', { format, include_hidden: true }] as const,
  ),
  ['network', { action: 'slice', bodies: 'all' }],
  ['network', { action: 'slice', bodies: 'all', format: 'har' }],
  ...['/json', '/form', '/header', '/cookies/cookie'].map(
    (path) => ['network', { format: 'curl', filter: { url: `**${path}` } }] as const,
  ),
  ['extract_data', { schema: SCHEMA, multiple: true, strategies: ['json_ld'], explain: true }],
  ['extract_data', { schema: SCHEMA, multiple: true, strategies: ['tables'], explain: true }],
  ['oc_evidence_bundle', {}],
  // Everything that was planted, and a page that shows some of it.
  ['fetch', { url: '/plan.json', as: 'auto' }],
  ['fetch', { url: '/pages/1', as: 'bytes' }],
];

it.each(sample(CALLS, 3))('%s %j', async (tool, args) => {
  for (const mode of MODES) expectClean(await ok(tool, { ...args, ...mode }));
  expectCleanDisk();
});

it('console, tabs, and what the journal tells', async () => {
  for (const [tool, args] of [
    ['console', {}],
    ['tabs', {}],
    ['network', { action: 'status' }],
    ['oc_journal', { action: 'recent', count: 100 }],
    ['oc_connection_health', {}],
  ] as const)
    expectClean(await ok(tool, args));
  expectCleanDisk();
});

it.each(sample(['always', 'never'], 2))('a crawl that renders %s', async (render) => {
  const how = { max_pages: 6, render, format: 'html', output_mode: 'handle' };
  expectClean(await ok('crawl', { url: `${site.url}/pages/0`, ...how }));
  expectCleanDisk();
});

itDeep('a crawl whose server is killed in the middle, and resumes', async () => {
  const how = { render: 'never', concurrency: 2, async: true };
  const begun = await server.call('crawl', { url: `${site.url}/pages/0`, ...how });
  const { run_id } = begun.json<{ run_id: string }>();
  await vi.waitFor(async () => {
    const page = await server.call('run_output', { run_id });
    expectClean(page);
    expect(page.json<{ total: number }>().total).toBeGreaterThan(3);
  }, PATIENCE);
  process.kill(server.pid, 'SIGKILL');
  await server.close();
  expectCleanDisk();
  server = await start();
  expectClean(await ok('run_resume', { run_id }));
  expectClean(await server.call('run_output', { run_id }));
  expectCleanDisk();
});
