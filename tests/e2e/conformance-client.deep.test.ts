import { beforeAll, describe, expect, test } from 'vitest';
import { ensureConformance } from '../../scripts/lib/conformance.mjs';
import { runClientScenario } from '../support/conformance/suite.ts';

// The client scenarios of the MCP conformance suite, against our client of upstreams. docs/conformance.md says how.

beforeAll(async () => {
  await ensureConformance();
}, 300_000);

describe('the suite passes', () => {
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
  const expectPassed = async (
    scenario: string,
    transport: 'http' | 'stdio',
    successes: number,
  ): Promise<void> => {
    const checks = await runClientScenario(scenario, transport);
    const ofStatus = (...statuses: readonly string[]): readonly string[] =>
      checks.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
    expect(ofStatus('FAILURE', 'WARNING', 'SKIPPED')).toEqual([]);
    // A check is repeated with each request that it looks at.
    expect(new Set(ofStatus('SUCCESS')).size).toBe(successes);
  };
  test.each(cases)('$scenario by $transport', ({ scenario, successes, transport }) =>
    expectPassed(scenario, transport, successes),
  );
  test.each(authorization)('auth/%s', (scenario, successes) =>
    expectPassed(`auth/${scenario}`, 'http', successes),
  );
});
