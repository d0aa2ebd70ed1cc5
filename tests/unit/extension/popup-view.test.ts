import { expect, it } from 'vitest';
import type { LinkState } from '../../../extension/background/host-link.ts';
import { linkFault } from '../../../extension/background/link-fault.ts';
import type { PopupState } from '../../../extension/popup/protocol.ts';
import { statusOf } from '../../../extension/popup/view.ts';

const server = { channel: 1, version: '0.1.0', pid: 3, clients: [] };
const identity = {
  product: 'spillway',
  version: '1',
  wire: { min: 1, max: 1 },
  instance: 'host-0001',
} as const;
const up: LinkState = { kind: 'connected', host: { type: 'hello', role: 'host', identity, pid: 1 } };

/** A path with what `String.replace` reads as its own. */
const COMMAND = "/opt/node '/home/a $& b/dist/index.js'";

const state = (
  link: LinkState,
  servers: PopupState['servers'] = [],
  command: string | null = COMMAND,
): PopupState => ({
  command,
  link,
  servers,
  browser: { name: 'Chromium', version: '1', label: null },
  isDebuggingCancelled: false,
  questions: 0,
  asks: false,
  clientAnswers: false,
  version: '1',
});

const failed: LinkState = { kind: 'failed', fault: linkFault('host_not_found'), retryAt: 5 };

it.each<[string, PopupState, object]>([
  [
    'a server',
    state(up, [server]),
    { kind: 'connected', headline: 'Connected', command: null, retryAt: null },
  ],
  [
    'no server',
    state(up),
    { kind: 'connected', command: expect.stringContaining(`spillway -- ${COMMAND} `) },
  ],
  ['a failure', state(failed), { kind: 'failed', command: `${COMMAND} install`, retryAt: 5 }],
  [
    'an attempt after a failure',
    state({ kind: 'connecting', fault: linkFault('host_no_hello') }),
    { kind: 'failed', command: `${COMMAND} doctor` },
  ],
])('shows %s', (_name, shown, view) => expect(statusOf(shown, 'en')).toMatchObject(view));
