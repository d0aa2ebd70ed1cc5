import { expect, it, vi } from 'vitest';
import { ensureOffscreen, keepAlive } from '../../../../extension/platform/chromium/offscreen.ts';
import { defer } from '../../../../shared/base/async.ts';
import { installBrowser } from '../../../support/browser-api.ts';
import { PATIENCE } from '../../../support/patience.ts';

it('sets the alarm that starts the worker if there is none', async () => {
  const event = { addListener: () => undefined };
  const create = vi.fn(() => Promise.resolve());
  const alarms = { onAlarm: event, get: () => Promise.resolve(undefined), create };
  installBrowser({ runtime: { onStartup: event, onInstalled: event }, alarms });
  keepAlive(() => undefined);
  await vi.waitFor(() => expect(create).toHaveBeenCalledOnce(), PATIENCE);
});

it('waits for an offscreen document that already exists, but still loads', async () => {
  const loaded = defer<void>();
  const createDocument = vi.fn(() => loaded.promise);
  const hasDocument = async () => createDocument.mock.calls.length > 0;
  vi.stubGlobal('chrome', { offscreen: { Reason: {}, hasDocument, createDocument } });
  const first = ensureOffscreen();
  await vi.waitFor(() => expect(createDocument).toHaveBeenCalledOnce(), PATIENCE);
  expect(ensureOffscreen()).toBe(first);
  loaded.resolve();
  await first;
});
