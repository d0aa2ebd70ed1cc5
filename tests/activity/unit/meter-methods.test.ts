import { expect, it } from 'vitest';
import { createMeterMethods } from '../../../server/activity/methods.ts';
import { LiveMeter } from '../../../server/activity/meter.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { METER_METHODS } from '../../../shared/core/meter.ts';
import { silentLogger as logger } from '../../support/app-options.ts';
import { codeOf } from '../../support/code-of.ts';
import { createSession } from '../../support/session.ts';

/** As a server makes them: long enough to be taken for a secret. */
const ID = '7d9f5a52-0c0f-4b7e-9a53-2f0f6f3b9d11';
const SECRET = `ghp_${'aB3dE6gH9'.repeat(4)}`;
const { signal } = new AbortController();

function setUp(record: () => Promise<void> = async () => undefined) {
  const meter = new LiveMeter(1_000);
  const session = createSession(ID);
  session.name = `agent ${SECRET}`;
  meter.countSent(session, 'tools/list', 'tabs');
  const journalled: object[] = [];
  const recorded: object[] = [];
  const methods = createMeterMethods({
    meter,
    journal: { record: (entry) => void journalled.push(entry) },
    lifted: (facts) => {
      recorded.push(facts);
      return record();
    },
    redactor: createRedactor({ enabled: true }),
    logger,
  });
  return { methods, journalled, recorded };
}

it('people read figures, with no secret in a name', async () => {
  const { methods } = setUp();
  const reading = METER_METHODS['meter.read'].result.parse(await methods['meter.read']({}, signal));
  expect(reading).toMatchObject({
    total: { calls: 1 },
    sessions: [{ session: ID, budget: { tokens: 1_000 } }],
  });
  expect(JSON.stringify(reading)).not.toContain(SECRET);
});

it('journal and ledger have who lifted what, and a ledger that cannot be written keeps nobody from it', async () => {
  const { methods, journalled, recorded } = setUp(() => Promise.reject(new Error('disk full')));
  const lift = { session: ID, tokens: 500, where: 'side_panel' } as const;
  const { budget } = await methods['budget.lift'](lift, signal);
  expect(budget).toMatchObject({ left: 500, state: 'fine' });
  expect(journalled).toEqual([
    {
      event: 'budget_lifted',
      agent: `agent ${SECRET}`,
      client_session: ID,
      tokens: 500,
      where: 'side_panel',
    },
  ]);
  expect(recorded).toEqual([{ name: `agent ${SECRET}`, session: ID }]);
  expect(await codeOf(methods['budget.lift']({ ...lift, session: 's2' }, signal))).toBe('session_closed');
});
