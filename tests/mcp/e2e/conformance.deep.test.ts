import { readFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureConformance, CONFORMANCE, suiteNode } from '../../../scripts/lib/conformance.mjs';
import { ROOT, run } from '../../../scripts/lib/run.mjs';
import { startConformanceServer } from '../../support/conformance/server.ts';
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

/** The suite of each era, with its additional arguments. */
const SUITES = {
  '2025-11-25': { name: '@modelcontextprotocol/conformance', args: [] },
  '2026-07-28': { name: 'conformance-2026', args: ['--spec-version', '2026-07-28'] },
} as const;

/**
 * Runs the suite in one process, which executes one scenario after the other. Returns its checks by their files.
 * @throws with what the suite said when it left no results
 */
async function runSuite(revision: keyof typeof SUITES, args: readonly string[], token = ''): Promise<Found> {
  const { name, args: more } = SUITES[revision];
  const results = mkdtempSync(join(tmpdir(), 'spillway-conformance-'));
  try {
    const program = join(CONFORMANCE, 'node_modules', name, 'dist/index.js');
    const authorized = token === '' ? [] : ['--import', join(CONFORMANCE, 'authorize.mjs')];
    const { output } = await run(
      await suiteNode(),
      [...authorized, program, ...args, '--output-dir', results, ...more],
      token === '' ? {} : { env: { SPILLWAY_TOKEN: token } },
    );
    const files = readdirSync(results, { recursive: true, encoding: 'utf8' });
    const found = files.filter((path) => path.endsWith('checks.json'));
    if (found.length === 0) throw new Error(`The suite left no results:\n${output}`);
    const read = (path: string): unknown => JSON.parse(readFileSync(join(results, path), 'utf8'));
    return new Map(found.map((path) => [path, Checks.parse(read(path))]));
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

const idsOf = (checks: readonly Check[], ...statuses: readonly string[]): readonly string[] =>
  checks.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);

/**
 * The suite starts a server, and our client of upstreams with its address. By stdio a server of ours is between the two. In
 * scenarios of authorization a person signs in.
 * @param successes number of checks in the scenario, all of which succeed
 */
async function expectClientPasses(scenario: string, transport: string, successes: number): Promise<void> {
  const program = scenario.startsWith(AUTHORIZATION)
    ? 'signed-in-client.ts'
    : `upstream-client.ts ${transport}`;
  const command = `${process.execPath} --import tsx ${join(CLIENTS, program)}`;
  const args = ['client', '--scenario', scenario, '--timeout', '60000', '--command', command];
  const [checks = []] = (await runSuite('2025-11-25', args)).values();
  expect(idsOf(checks, 'FAILURE', 'WARNING', 'SKIPPED')).toEqual([]);
  // A check is repeated for each request that it examines.
  expect(new Set(idsOf(checks, 'SUCCESS')).size).toBe(successes);
}

/** Runs every server scenario. Returns the checks by scenario. */
async function runServerScenarios(
  { url, token }: { readonly url: string; readonly token: string },
  revision: keyof typeof SUITES,
): Promise<Found> {
  const found = await runSuite(revision, ['server', '--url', url, '--suite', 'all'], token);
  return new Map(
    [...found].map(([path, checks]) => {
      const scenario = FOLDER.exec(dirname(path))?.[1];
      if (scenario === undefined) throw new Error(`The suite wrote ${path}, which belongs to no scenario.`);
      return [scenario, checks];
    }),
  );
}

// The MCP conformance suite: its server scenarios against our adapter and executor over HTTP, with the whole guard on,
// and its client scenarios against our client of upstreams. docs/conformance.md has the method and the results.

/** Scenario → checks that succeed, as the documentation says: all server scenarios of the suite, since all are applicable. */
const PASSES: Readonly<Record<string, number>> = Object.fromEntries(
  [...readFileSync(join(ROOT, 'docs/conformance.md'), 'utf8').matchAll(/^\| ([\w-]+) +\| +(\d+) \|/gm)].map(
    ([, scenario = '', count]) => [scenario, Number(count)],
  ),
);

let server: Awaited<ReturnType<typeof startConformanceServer>> | undefined;
let found: Found;
let newFound: Found;

beforeAll(async () => {
  await ensureConformance();
  server = await startConformanceServer();
  found = await runServerScenarios(server, '2025-11-25');
  newFound = await runServerScenarios(server, '2026-07-28');
}, 300_000);
afterAll(() => server?.close());

test('every scenario of the suite is in the table, and no other', () => {
  expect([...found.keys()].sort()).toEqual(Object.keys(PASSES).sort());
});

test.each(Object.entries(PASSES))('the suite passes %s', (scenario, successes) => {
  const checks = found.get(scenario) ?? [];
  expect(idsOf(checks, 'FAILURE', 'WARNING', 'SKIPPED')).toEqual([]);
  expect(idsOf(checks, 'SUCCESS')).toHaveLength(successes);
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
    [3, ['resource-mismatch']],
    [4, ['2025-03-26-oauth-endpoint-fallback']],
    [5, ['client-credentials-basic']],
    [9, ['2025-03-26-oauth-metadata-backcompat']],
    [10, ['metadata-default', 'metadata-var1', 'metadata-var2', 'metadata-var3', 'basic-cimd']],
    [10, ['scope-retry-limit', 'pre-registration', 'offline-access-scope']],
    [11, ['scope-from-www-authenticate', 'scope-from-scopes-supported', 'scope-omitted-when-undefined']],
    [11, ['offline-access-not-supported']],
    [12, ['scope-step-up']],
    [15, ['token-endpoint-auth-basic', 'token-endpoint-auth-post', 'token-endpoint-auth-none']],
  ] as const;
  const cases = (['http', 'stdio'] as const).flatMap((transport) =>
    scenarios.map(([scenario, successes]) => ({ scenario, successes, transport })),
  );
  test.each(cases)('$scenario by $transport', ({ scenario, successes, transport }) =>
    expectClientPasses(scenario, transport, successes),
  );
  test.each(authorization.flatMap(([successes, names]) => names.map((name) => [name, successes] as const)))(
    'auth/%s',
    (scenario, successes) => expectClientPasses(`auth/${scenario}`, 'http', successes),
  );
});
