import { SpillwayError } from '../../../shared/base/errors.ts';
import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { TAB, fails, ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('record_video', 'starts', { tab: TAB, action: 'start' }),
  fails('record_video', 'capture_not_running', { tab: TAB, action: 'stop', format: 'gif', fps: 6 }),
  fails('record_video', 'invalid_argument', { tab: TAB, action: 'start', format: 'gif', fps: 6 }),
];

export const fakeHandlers: BridgeHandlers = {
  'video.start': async () => ({}),
  'video.stop': () => {
    throw new SpillwayError('capture_not_running', 'None was started.');
  },
};
