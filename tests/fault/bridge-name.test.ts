import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readRegistrations } from '../../server/bridge/registrations.ts';
import type { ServerPort } from '../../extension/background/handler.ts';
import { BridgeRig } from '../support/bridge-rig.ts';
import { PATIENCE } from '../support/patience.ts';

/* A person names a browser while a host and servers are connected to it. */

let rig: BridgeRig;
beforeEach(() => {
  rig = new BridgeRig();
});
afterEach(() => rig.close());

const labels = (): (string | null)[] =>
  readRegistrations(rig.directory).map(({ registration }) => registration.browser.label);

it('the host says that it takes the name, and servers that connect later know it', async () => {
  const worker = await rig.worker();
  expect((await worker.control('hello')).takes_browser).toBe(true);
  worker.send(0, { type: 'browser', browser: { name: 'Fake', version: '1.0', label: 'Work' } });
  await worker.listening();
  expect(labels()).toEqual(['Work']);
  const bridge = rig.bridge();
  await bridge.ready();
  expect(bridge.browsers().map(({ facts }) => facts.label)).toEqual(['Work']);
});

it('a connected server takes the name without invisible characters, and its removal', async () => {
  const ports: ServerPort[] = [];
  await rig.worker({ onServer: (port) => ports.push(port) });
  const bridge = rig.bridge();
  await bridge.ready();
  const port = await vi.waitFor(() => {
    const [found] = ports;
    if (found === undefined) throw new Error('No server has connected.');
    return found;
  }, PATIENCE);
  const name = (label: string | null): Promise<object> =>
    port.request('browser.named', { label }, AbortSignal.timeout(20_000));
  const label = (): string | null | undefined => bridge.browsers()[0]?.facts.label;
  await name(' \u202eHome\u200b');
  expect(label()).toBe('Home');
  await name('\u200b');
  expect(label()).toBeNull();
  await expect(name('x'.repeat(65))).rejects.toMatchObject({ code: 'invalid_argument' });
});
