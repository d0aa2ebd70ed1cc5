import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureConformance } from '../../scripts/lib/conformance.mjs';
import { ROOT } from '../../scripts/lib/run.mjs';
import { startConformanceServer } from '../support/conformance/server.ts';
import { runSuite, type Found } from '../support/conformance/suite.ts';

// The server scenarios of the MCP conformance suite, against our adapter and executor over HTTP,
// with the whole guard on. docs/conformance.md says how, and what came of it.

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

beforeAll(async () => {
  await ensureConformance();
  server = await startConformanceServer();
  found = await runSuite(server);
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

describe('the suite passes', () => {
  test.each(Object.entries(PASSES))('%s', (scenario, successes) => {
    const checks = found.get(scenario) ?? [];
    const ofStatus = (...statuses: readonly string[]): readonly unknown[] =>
      checks.filter(({ status }) => statuses.includes(status));
    expect(ofStatus('FAILURE', 'WARNING', 'SKIPPED')).toEqual([]);
    expect(ofStatus('SUCCESS')).toHaveLength(successes);
  });
});
