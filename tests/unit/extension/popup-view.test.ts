import { expect, it } from 'vitest';
import type { LinkState } from '../../../extension/background/host-link.ts';
import { linkFault } from '../../../extension/background/link-fault.ts';
import type { PopupState } from '../../../extension/popup/protocol.ts';
import { ADD_AGENT_COMMAND, agentRows, statusOf } from '../../../extension/popup/view.ts';

const server = { channel: 1, version: '0.1.0', pid: 3, clients: [] };
const identity = {
  product: 'spillway',
  version: '1',
  wire: { min: 1, max: 1 },
  instance: 'host-0001',
} as const;
const up: LinkState = { kind: 'connected', host: { type: 'hello', role: 'host', identity, pid: 1 } };

const state = (link: LinkState, servers: PopupState['servers'] = []): PopupState => ({
  link,
  servers,
  browser: { name: 'Chromium', version: '1', label: null },
  isDebuggingCancelled: false,
  version: '1',
});

it.each<[string, PopupState, object]>([
  [
    'a server',
    state(up, [server]),
    { kind: 'connected', headline: 'Connected', command: null, retryAt: null },
  ],
  ['no server', state(up), { kind: 'connected', headline: 'Ready', command: ADD_AGENT_COMMAND }],
  ['a first attempt', state({ kind: 'connecting', fault: null }), { kind: 'connecting', command: null }],
  [
    'a failure',
    state({ kind: 'failed', fault: linkFault('host_not_found'), retryAt: 5 }),
    { kind: 'failed', headline: 'Not connected', command: 'spillway install', retryAt: 5 },
  ],
  [
    'an attempt after a failure',
    state({ kind: 'connecting', fault: linkFault('host_no_hello') }),
    { kind: 'failed', command: 'spillway doctor' },
  ],
])('shows %s', (_name, shown, view) => expect(statusOf(shown)).toMatchObject(view));

it('has one row a client, and one for a server that has not named its clients', () => {
  const clients = [
    { name: 'Claude Code', version: '2.1' },
    { name: 'Codex', version: '' },
  ];
  expect(agentRows([{ ...server, clients }, server])).toEqual([
    { name: 'Claude Code 2.1', via: 'server 0.1.0' },
    { name: 'Codex', via: 'server 0.1.0' },
    { name: 'An agent', via: 'server 0.1.0' },
  ]);
});
