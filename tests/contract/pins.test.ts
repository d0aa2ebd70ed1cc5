import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { WIRE_VERSION, WIRE_VERSION_OLDEST } from '../../shared/bridge/wire.ts';
import { ERRORS } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/limits.ts';
import { MANIFESTS } from '../../shared/tools/index.ts';

const ROOT = resolve(import.meta.dirname, '../..');

// Literals on purpose: changing one of these changes what clients, stored handles or an older
// extension rely on, and says so by changing the line here too.

// Listed by default, in this order: what a model's cache begins with. An unlisted tool costs no
// client anything: its manifest alone says so.
test('the tools that are listed, their order and their tiers', () => {
  const listed = MANIFESTS.filter(({ tier }) => tier < 3);
  expect(listed.map(({ name, tier }) => `${name} ${tier}`)).toMatchInlineSnapshot(`
    [
      "tabs 2",
      "navigate 2",
      "read_page 2",
      "find 2",
      "interact 2",
      "network 2",
      "crawl 2",
      "extract_data 2",
      "oc_evidence_bundle 2",
      "oc_output_fetch 1",
      "oc_connection_health 2",
      "run_status 2",
      "run_output 2",
      "find_tools 2",
      "screenshot 2",
    ]
  `);
});

// New tools may join these, at the end: none of these may go, be renamed or change its place.
test('the tools that are not listed, in their order', () => {
  const names = MANIFESTS.filter(({ tier }) => tier === 3).map(({ name }) => name);
  const promised = [
    'run_cancel',
    'run_resume',
    'run_list',
    'run_log',
    'console',
    'docs_search',
    'docs_fetch',
    'html_skeleton',
    'fetch',
    'dialog',
    'oc_journal',
  ] as const;
  expect(names.slice(0, promised.length)).toEqual(promised);
});

// The page is made from the table, and read by people who have seen a code.
test('the error codes, and whether a call may be repeated, are as docs/errors.md says', () => {
  const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
  const written = page.matchAll(/^## (\w+)\n\n.*\n\nWhose: (\w+); retry: (yes|no)\.$/gm);
  expect([...written].map(([, code, whose, retry]) => ({ code, whose, retry }))).toEqual(
    Object.entries(ERRORS).map(([code, { fault, retryable }]) => ({
      code,
      whose: fault,
      retry: retryable ? 'yes' : 'no',
    })),
  );
});

test('the limits', () => {
  expect(LIMITS).toMatchInlineSnapshot(`
    {
      "bridgeFrameBytes": 524288,
      "browserWaitMs": 5000,
      "callTimeoutMs": 30000,
      "clockJumpMs": 3600000,
      "crawlPageBytes": 16777216,
      "crawlPageTimeoutMs": 30000,
      "debuggerCommandMs": 15000,
      "evidencePartBytes": 536870912,
      "evidencePartMs": 60000,
      "evidenceTimestampMs": 10000,
      "heartbeatIntervalMs": 15000,
      "helloTimeoutMs": 3000,
      "hostChannelBufferBytes": 33554432,
      "hostLookoutMs": 3000,
      "httpBodyBytes": 4194304,
      "humanInputMs": 600000,
      "journalCountMax": 100,
      "journalDays": 30,
      "journalLineBytes": 16384,
      "launchTimeoutMs": 30000,
      "ledgerWaitMs": 10000,
      "navigateTimeoutMs": 30000,
      "networkBodiesBytes": 1073741824,
      "networkBodyBytes": 2097152,
      "networkBodyBytesMax": 16777216,
      "networkBufferBytes": 268435456,
      "networkMemoryBytes": 8388608,
      "networkQueueBytes": 16777216,
      "outputDescriptorBodyBytes": 4096,
      "outputFetchBytes": 32768,
      "outputFetchBytesMax": 8388608,
      "outputFetchItems": 200,
      "outputFetchItemsMax": 10000,
      "outputFetchUtf8Min": 4,
      "outputHandleSweepIntervalSeconds": 300,
      "outputHandleTtlHours": 24,
      "outputInlineLimitBytes": 32768,
      "outputInlineMaxBytes": 16777216,
      "outputMaxBytes": 4294967296,
      "outputPageBytes": 32768,
      "outputPreviewBytes": 2048,
      "pageBufferBytes": 67108864,
      "pageResponseTimeoutMs": 10000,
      "reconnectMaxMs": 30000,
      "reconnectMinMs": 250,
      "redirects": 20,
      "robotsBytes": 524288,
      "runTtlDays": 7,
      "runsAtOnce": 2,
      "shutdownMs": 2000,
      "sitemapBytes": 52428800,
      "socketPathBytes": 107,
      "streamChunkUnits": 61440,
      "streamWindowBytes": 8388608,
      "syncWaitMs": 45000,
      "uploadBytes": 67108864,
      "uploadChunkBytes": 262144,
    }
  `);
});

test('the wire version', () => {
  expect([WIRE_VERSION, WIRE_VERSION_OLDEST]).toEqual([2, 1]);
});

test('every error code is raised somewhere', () => {
  const sources = ['server', 'shared', 'extension'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && join(folder, name) !== join('shared', 'errors.ts'))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  );
  const code = sources.join('\n');
  expect(Object.keys(ERRORS).filter((name) => !code.includes(`'${name}'`))).toEqual([]);
});
