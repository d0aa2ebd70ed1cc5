import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { CONFORMANCE, suiteNode } from '../../../scripts/lib/conformance.mjs';
import { ROOT, run } from '../../../scripts/lib/run.mjs';

const Checks = z.array(
  z.object({
    id: z.string(),
    status: z.enum(['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO']),
    errorMessage: z.string().optional(),
  }),
);

/** One thing that a scenario looked at. */
type Check = z.infer<typeof Checks>[number];

export type Found = ReadonlyMap<string, readonly Check[]>;

/** Programs that the suite starts as a client. */
const CLIENTS = join(ROOT, 'tests/support/conformance');
const AUTHORIZATION = 'auth/';

/** `server-tools-call-image-2026-11-20T14-02-03-456Z` */
const FOLDER = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** Each check of a client scenario succeeds, and there are so many. */
export async function expectClientPasses(
  scenario: string,
  transport: 'http' | 'stdio',
  successes: number,
): Promise<void> {
  const checks = await runClientScenario(scenario, transport);
  const ofStatus = (...statuses: readonly string[]): readonly string[] =>
    checks.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
  expect(ofStatus('FAILURE', 'WARNING', 'SKIPPED')).toEqual([]);
  // A check is repeated with each request that it looks at.
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

/** The suite of each era, and what it is given besides. */
const SUITES = {
  '2025-11-25': { name: '@modelcontextprotocol/conformance', args: [] },
  '2026-07-28': { name: 'conformance-2026', args: ['--spec-version', '2026-07-28'] },
} as const;

/**
 * Runs every server scenario of the suite, one after the other, in one process.
 * @throws with what the suite said when it left no results
 */
export async function runSuite(
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
