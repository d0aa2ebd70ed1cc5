import { test } from 'vitest';
import { ensureConformance } from '../../scripts/lib/conformance.mjs';
import { expectClientPasses } from '../support/conformance/suite.ts';

// Two scenarios of the MCP conformance suite against our client of upstreams. conformance.deep.test.ts runs all of the suite.

test.each([
  ['tools_call', 'stdio', 1],
  ['auth/scope-step-up', 'http', 12],
] as const)('%s passes by %s', async (scenario, transport, successes) => {
  await ensureConformance(() => undefined);
  await expectClientPasses(scenario, transport, successes);
});
