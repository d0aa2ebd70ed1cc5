import { beforeAll, describe, expect, test } from 'vitest';
import { ensureConformance } from '../../scripts/lib/conformance.mjs';
import { runClientScenario } from '../support/conformance/suite.ts';

// The client scenarios of the MCP conformance suite, against our client of upstreams. docs/conformance.md says how.

beforeAll(async () => {
  await ensureConformance(() => undefined);
});

describe('the suite passes', () => {
  const scenarios = [
    ['initialize', 1],
    ['tools_call', 1],
    ['elicitation-sep1034-client-defaults', 5],
    ['sse-retry', 3],
  ] as const;
  const cases = (['http', 'stdio'] as const).flatMap((transport) =>
    scenarios.map(([scenario, successes]) => ({ scenario, successes, transport })),
  );
  test.each(cases)('$scenario by $transport', async ({ scenario, successes, transport }) => {
    const checks = await runClientScenario(scenario, transport);
    const ofStatus = (...statuses: readonly string[]): readonly unknown[] =>
      checks.filter(({ status }) => statuses.includes(status));
    expect(ofStatus('FAILURE', 'WARNING', 'SKIPPED')).toEqual([]);
    expect(ofStatus('SUCCESS')).toHaveLength(successes);
  });
});
