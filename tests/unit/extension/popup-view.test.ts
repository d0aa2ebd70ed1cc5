import { expect, it } from 'vitest';
import type { LinkState } from '../../../extension/background/host-link.ts';
import { linkFault } from '../../../extension/background/link-fault.ts';
import type { PopupState } from '../../../extension/popup/protocol.ts';
import { agentRows, statusOf, texts } from '../../../extension/popup/view.ts';

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
  [
    'no server, of a host that does not say where it is',
    state(up, [], null),
    { command: expect.stringContaining('spillway -- spillway ') },
  ],
  ['a first attempt', state({ kind: 'connecting', fault: null }), { kind: 'connecting', command: null }],
  ['a failure', state(failed), { kind: 'failed', command: `${COMMAND} install`, retryAt: 5 }],
  ['a failure before there was a host', state(failed, [], null), { command: 'spillway install' }],
  [
    'an attempt after a failure',
    state({ kind: 'connecting', fault: linkFault('host_no_hello') }),
    { kind: 'failed', command: `${COMMAND} doctor` },
  ],
])('shows %s', (_name, shown, view) => expect(statusOf(shown, 'en')).toMatchObject(view));

it('has one row a client, and one for a server that has not named its clients', () => {
  const clients = [
    { name: 'Claude Code', version: '2.1' },
    { name: 'Codex', version: '' },
  ];
  expect(agentRows([{ ...server, clients }, server], texts.en)).toEqual([
    { name: 'Claude Code 2.1', via: 'server 0.1.0' },
    { name: 'Codex', via: 'server 0.1.0' },
    { name: 'An agent', via: 'server 0.1.0' },
  ]);
});
