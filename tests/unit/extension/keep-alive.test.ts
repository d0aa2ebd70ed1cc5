import { expect, it, vi } from 'vitest';
import { keepAlive } from '../../../extension/background/keep-alive.ts';
import { installBrowser } from '../../support/browser-api.ts';
import { PATIENCE } from '../../support/patience.ts';

/** Starts a worker in a browser whose alarms do so. */
function start(get: () => Promise<unknown>, set: () => Promise<void>): void {
  const event = { addListener: () => undefined };
  const alarms = { onAlarm: event, get, create: set };
  installBrowser({ runtime: { onStartup: event, onInstalled: event }, alarms });
  keepAlive(() => undefined);
}

it('sets the alarm if there is none', async () => {
  const set = vi.fn(() => Promise.resolve());
  start(() => Promise.resolve(undefined), set);
  await vi.waitFor(() => expect(set).toHaveBeenCalledOnce(), PATIENCE);
});
