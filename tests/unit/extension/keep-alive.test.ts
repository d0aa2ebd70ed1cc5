import { expect, it, vi } from 'vitest';
import { keepAlive } from '../../../extension/background/chromium/offscreen.ts';
import { installBrowser } from '../../support/browser-api.ts';
import { PATIENCE } from '../../support/patience.ts';

it('sets the alarm that starts the worker if there is none', async () => {
  const event = { addListener: () => undefined };
  const create = vi.fn(() => Promise.resolve());
  const alarms = { onAlarm: event, get: () => Promise.resolve(undefined), create };
  installBrowser({ runtime: { onStartup: event, onInstalled: event }, alarms });
  keepAlive(() => undefined);
  await vi.waitFor(() => expect(create).toHaveBeenCalledOnce(), PATIENCE);
});
