import { afterEach, beforeEach, expect, it } from 'vitest';
import { browserState } from '../support/fake-bridge.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';

let server: MemoryServer;
beforeEach(async () => {
  server = await startMemoryServer();
});
afterEach(() => server.close());

const facts = (label: string | null) => ({ name: 'Chromium', version: '156.0', label });
const listed = async (args: object = {}): Promise<unknown> =>
  (await server.call('tabs', { ...args })).json<{ browsers?: unknown }>().browsers;

it('lists a browser that has a name, without what nobody sees and without secrets', async () => {
  server.bridge.addBrowser();
  server.bridge.change(browserState({ facts: facts('Work') }));
  expect(await listed()).toEqual([{ browser: 'b1', name: 'Chromium 156.0', label: 'Work' }]);
  server.bridge.change(browserState({ facts: facts(`password=${'hunter2'.repeat(3)}`) }));
  expect(JSON.stringify(await listed())).not.toContain('hunter2hunter2');
});
