import { expect, it } from 'vitest';
import { createApp } from '../../../server/core/app.ts';
import { createServices, type Services } from '../../../server/core/compose.ts';
import { appOptions } from '../../support/app-options.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';
import { createSession } from '../../support/session.ts';
import { temporaryHome } from '../../support/home.ts';

const session = createSession('session');
const health = (callId: string) => ({
  callId,
  tool: 'oc_connection_health',
  args: {},
  session,
  signal: session.signal,
});

it('what failed to load once is loaded by the next call, and nothing is loaded after the end', async () => {
  const given = appOptions(await temporaryHome());
  let loads = 0;
  let closed = 0;
  const app = createApp(given, {
    bridge: new FakeBridge(),
    loadServices: async (parts) => {
      loads += 1;
      if (loads === 1) throw new Error('too many open files');
      const services: Services = createServices(given, parts);
      return { ...services, close: async () => ((closed += 1), services.close()) };
    },
  });
  expect((await app.executor.execute(health('one'))).error?.code).toBe('internal_error');
  expect((await app.executor.execute(health('two'))).ok).toBe(true);
  await app.close();
  await app.close();
  expect([loads, closed]).toEqual([2, 1]);
});

it('lets nothing wait for a person after its end, and executes nothing', async () => {
  const app = createApp(appOptions(await temporaryHome()), {
    bridge: new FakeBridge(),
    gate: { check: async () => ({ ask: {} }) },
  });
  expect((await app.executor.execute(health('one'))).pending).toBeDefined();
  const end = app.executor.questions.settled('one');
  await app.close();
  expect((await end).error).toMatchObject({
    code: 'cancelled',
    message: expect.stringContaining('The server has stopped'),
  });
  expect((await app.executor.execute(health('two'))).error?.code).toBe('cancelled');
  expect(app.executor.questions.listPending()).toEqual([]);
});
