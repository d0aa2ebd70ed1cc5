import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepAlive } from '../../../extension/background/keep-alive.ts';
import { PATIENCE } from '../../support/patience.ts';

const { browser } = vi.hoisted(() => {
  const event = () => ({ addListener: vi.fn() });
  return {
    browser: {
      runtime: { onStartup: event(), onInstalled: event() },
      alarms: { onAlarm: event(), get: vi.fn(), create: vi.fn() },
    },
  };
});
vi.mock('webextension-polyfill', () => ({ default: browser }));

const unhandled = vi.fn();
beforeEach(() => {
  process.on('unhandledRejection', unhandled);
});
afterEach(() => {
  process.off('unhandledRejection', unhandled);
  vi.restoreAllMocks();
  vi.resetAllMocks();
});

/** Rejections are reported as unhandled before timers run. */
const rejectionsReported = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 5));

it('sets the alarm if there is none', async () => {
  browser.alarms.get.mockResolvedValue(undefined);
  keepAlive(() => undefined);
  await vi.waitFor(() => expect(browser.alarms.create).toHaveBeenCalledOnce(), PATIENCE);
});

it.each(['get', 'create'] as const)('logs an alarm that cannot be set: %s fails', async (name) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  browser.alarms[name].mockRejectedValue(new Error('no alarms'));
  keepAlive(() => undefined);
  await rejectionsReported();
  expect(unhandled).not.toHaveBeenCalled();
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('no alarms'));
});
