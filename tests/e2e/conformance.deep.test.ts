import { readFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureConformance, CONFORMANCE, suiteNode } from '../../scripts/lib/conformance.mjs';
import { ROOT, run } from '../../scripts/lib/run.mjs';
import { startConformanceServer } from '../support/conformance/server.ts';
import { tmpdir } from 'node:os';
import { z } from 'zod';

const Checks = z.array(
  z.object({
    id: z.string(),
    status: z.enum(['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO']),
    errorMessage: z.string().optional(),
  }),
);

type Check = z.infer<typeof Checks>[number];

type Found = ReadonlyMap<string, readonly Check[]>;

/** Programs of ours that the suite starts as clients. */
const CLIENTS = join(ROOT, 'tests/support/conformance');
const AUTHORIZATION = 'auth/';

/** `server-tools-call-image-2026-11-20T14-02-03-456Z` */
const FOLDER = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** The number of checks in a client scenario, all of which succeed. */
async function expectClientPasses(
  scenario: string,
  transport: 'http' | 'stdio',
  successes: number,
): Promise<void> {
  const checks = await runClientScenario(scenario, transport);
  const ofStatus = (...statuses: readonly string[]): readonly string[] =>
    checks.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
  expect(ofStatus('FAILURE', 'WARNING', 'SKIPPED')).toEqual([]);
  // A check is repeated for each request that it examines.
  expect(new Set(ofStatus('SUCCESS')).size).toBe(successes);
}

/**
 * Runs one client scenario: the suite starts a server, and our client of upstreams with its address. By stdio a server of
 * ours is between the two. In scenarios of authorization a person signs in.
 * @throws with what the suite said when it left no results
 */
async function runClientScenario(scenario: string, transport: 'http' | 'stdio'): Promise<readonly Check[]> {
  const program = scenario.startsWith(AUTHORIZATION)
    ? 'signed-in-client.ts'
    : `upstream-client.ts ${transport}`;
  const results = mkdtempSync(join(tmpdir(), 'spillway-conformance-'));
  try {
    const { output } = await run(await suiteNode(), [
      join(CONFORMANCE, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
      ...['client', '--scenario', scenario, '--output-dir', results, '--timeout', '60000'],
      ...['--command', `${process.execPath} --import tsx ${join(CLIENTS, program)}`],
    ]);
    const found = readdirSync(results, { recursive: true, encoding: 'utf8' });
    const checks = found.find((path) => path.endsWith('checks.json'));
    if (checks === undefined) throw new Error(`The suite left no results:\n${output}`);
    return Checks.parse(JSON.parse(readFileSync(join(results, checks), 'utf8')));
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

/** The suite of each era, with its additional arguments. */
const SUITES = {
  '2025-11-25': { name: '@modelcontextprotocol/conformance', args: [] },
  '2026-07-28': { name: 'conformance-2026', args: ['--spec-version', '2026-07-28'] },
} as const;

/**
 * Runs every server scenario of the suite, one after the other, in one process.
 * @throws with what the suite said when it left no results
 */
async function runSuite(
  { url, token }: { url: string; token: string },
  revision: keyof typeof SUITES,
): Promise<Found> {
  const { name, args } = SUITES[revision];
  const results = mkdtempSync(join(tmpdir(), 'spillway-conformance-'));
  try {
    const { output } = await run(
      await suiteNode(),
      [
        ...['--import', join(CONFORMANCE, 'authorize.mjs')],
        join(CONFORMANCE, 'node_modules', name, 'dist/index.js'),
        ...['server', '--url', url, '--suite', 'all', '--output-dir', results, ...args],
      ],
      { env: { SPILLWAY_TOKEN: token } },
    );
    const found = new Map<string, readonly Check[]>();
    for (const folder of readdirSync(results)) {
      const scenario = FOLDER.exec(folder)?.[1];
      if (scenario === undefined) throw new Error(`The suite wrote ${folder}, which belongs to no scenario.`);
      const text = readFileSync(join(results, folder, 'checks.json'), 'utf8');
      found.set(scenario, Checks.parse(JSON.parse(text)));
    }
    if (found.size === 0) throw new Error(`The suite left no results:\n${output}`);
    return found;
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

// The MCP conformance suite: its server scenarios against our adapter and executor over HTTP, with the whole guard on,
// and its client scenarios against our client of upstreams. docs/conformance.md has the method and the results.

/** Scenario → checks that succeed: all server scenarios of the suite, since all are applicable. */
const PASSES: Readonly<Record<string, number>> = {
  'completion-complete': 1,
  'dns-rebinding-protection': 2,
  'elicitation-sep1034-defaults': 5,
  'elicitation-sep1330-enums': 5,
  'json-schema-2020-12': 4,
  'logging-set-level': 1,
  ping: 1,
  'prompts-get-embedded-resource': 1,
  'prompts-get-simple': 1,
  'prompts-get-with-args': 1,
  'prompts-get-with-image': 1,
  'prompts-list': 1,
  'resources-list': 1,
  'resources-read-binary': 1,
  'resources-read-text': 1,
  'resources-subscribe': 1,
  'resources-templates-read': 1,
  'resources-unsubscribe': 1,
  'server-initialize': 1,
  'server-sse-multiple-streams': 2,
  'server-sse-polling': 3,
  'tools-call-audio': 1,
  'tools-call-elicitation': 1,
  'tools-call-embedded-resource': 1,
  'tools-call-error': 1,
  'tools-call-image': 1,
  'tools-call-mixed-content': 1,
  'tools-call-sampling': 1,
  'tools-call-simple-text': 1,
  'tools-call-with-logging': 1,
  'tools-call-with-progress': 1,
  'tools-list': 1,
};

let server: Awaited<ReturnType<typeof startConformanceServer>> | undefined;
let found: Found;
let newFound: Found;

beforeAll(async () => {
  await ensureConformance();
  server = await startConformanceServer();
  found = await runSuite(server, '2025-11-25');
  newFound = await runSuite(server, '2026-07-28');
}, 300_000);
afterAll(() => server?.close());

test('every scenario of the suite is in the table, and no other', () => {
  expect([...found.keys()].sort()).toEqual(Object.keys(PASSES).sort());
});

test('docs/conformance.md has the same table', () => {
  const rows = readFileSync(join(ROOT, 'docs/conformance.md'), 'utf8').matchAll(
    /^\| ([\w-]+) +\| +(\d+) \|/gm,
  );
  const documented = [...rows].map(([, scenario = '', count]) => [scenario, Number(count)] as const);
  expect(Object.fromEntries(documented)).toEqual(PASSES);
});

test.each(Object.entries(PASSES))('the suite passes %s', (scenario, successes) => {
  const checks = found.get(scenario) ?? [];
  const ofStatus = (...statuses: readonly string[]): readonly unknown[] =>
    checks.filter(({ status }) => statuses.includes(status));
  expect(ofStatus('FAILURE', 'WARNING', 'SKIPPED')).toEqual([]);
  expect(ofStatus('SUCCESS')).toHaveLength(successes);
});

/** Checks of 2026-07-28 that a scenario does not pass, by scenario. docs/conformance.md says why. */
const NOT_PASSED: Readonly<Record<string, readonly string[]>> = {
  'http-custom-header-server-validation': [
    'sep-2243-server-decode-base64',
    'sep-2243-server-no-xmcp-tool',
    'sep-2243-server-reject-invalid-param-chars',
    'sep-2243-server-reject-param-mismatch',
    'sep-2243-server-validate-param-match',
  ],
  'input-required-result-basic-elicitation': ['sep-2322-elicitation-incomplete'],
  'input-required-result-basic-list-roots': ['sep-2322-list-roots-incomplete'],
  'input-required-result-ignore-extra-params': ['sep-2322-ignore-unexpected-params'],
  'input-required-result-multiple-input-requests': ['sep-2322-multiple-inputs-incomplete'],
  'input-required-result-non-tool-request': ['sep-2322-non-tool-incomplete'],
  'server-stateless': [
    'sep-2575-missing-capability-http-400',
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-server-sends-prompts-list-changed-on-subscription',
  ],
};

test('of 2026-07-28 the suite passes, but for what is not asked of Spillway', () => {
  const failed = [...newFound].map(([scenario, checks]) => {
    const ids = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO').map(({ id }) => id);
    return [scenario, [...new Set(ids)].sort()] as const;
  });
  expect(newFound.size).toBe(40);
  expect(Object.fromEntries(failed.filter(([, ids]) => ids.length > 0))).toEqual(NOT_PASSED);
});

describe('the suite passes against our client', () => {
  const scenarios = [
    ['initialize', 1],
    ['tools_call', 1],
    ['elicitation-sep1034-client-defaults', 5],
    ['sse-retry', 3],
  ] as const;
  const authorization = [
    ['metadata-default', 10],
    ['metadata-var1', 10],
    ['metadata-var2', 10],
    ['metadata-var3', 10],
    ['basic-cimd', 10],
    ['scope-from-www-authenticate', 11],
    ['scope-from-scopes-supported', 11],
    ['scope-omitted-when-undefined', 11],
    ['scope-step-up', 12],
    ['scope-retry-limit', 10],
    ['token-endpoint-auth-basic', 15],
    ['token-endpoint-auth-post', 15],
    ['token-endpoint-auth-none', 15],
    ['pre-registration', 10],
    ['2025-03-26-oauth-metadata-backcompat', 9],
    ['2025-03-26-oauth-endpoint-fallback', 4],
    ['resource-mismatch', 3],
    ['offline-access-scope', 10],
    ['offline-access-not-supported', 11],
    ['client-credentials-basic', 5],
  ] as const;
  const cases = (['http', 'stdio'] as const).flatMap((transport) =>
    scenarios.map(([scenario, successes]) => ({ scenario, successes, transport })),
  );
  test.each(cases)('$scenario by $transport', ({ scenario, successes, transport }) =>
    expectClientPasses(scenario, transport, successes),
  );
  test.each(authorization)('auth/%s', (scenario, successes) =>
    expectClientPasses(`auth/${scenario}`, 'http', successes),
  );
});
