import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ServerMethods } from '../../shared/bridge/server-methods.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { ActFacts } from '../../shared/policy/ledger-facts.ts';
import type { ServerPort } from '../../extension/background/handler.ts';
import { BridgeRig, coded } from '../support/bridge-rig.ts';
import { PATIENCE } from '../support/patience.ts';
import { TEST_SCOPE } from '../support/session.ts';

const FACTS: ActFacts = {
  scope: TEST_SCOPE,
  risks: ['submit'],
  site: 'https://shop.example',
  tab_id: 7,
  allowed_by: { kind: 'rule', id: 'default' },
};
const never = new AbortController().signal;

let rig: BridgeRig;
beforeEach(() => {
  rig = new BridgeRig();
});
afterEach(() => rig.close());

/** A worker and a server that answers it so; the port is how handlers of that worker reach the server. */
async function ask(
  append: ServerMethods['ledger.append'],
  wire = { min: 1, max: 2 },
  others: Partial<ServerMethods> = {},
) {
  const ports: ServerPort[] = [];
  const scopes: unknown[] = [];
  await rig.worker({
    wire,
    onServer: (port) => ports.push(port),
    handlers: {
      'tabs.get': (_params, { scope }) => {
        scopes.push(scope);
        throw new SpillwayError('tab_not_found', 'There is no tab 7.');
      },
    },
  });
  const bridge = rig.bridge({ methods: { 'ledger.append': append, ...others } });
  await bridge.ready();
  await vi.waitFor(() => expect(ports).toHaveLength(1), PATIENCE);
  const [port] = ports;
  if (port === undefined) throw new Error('No server has connected.');
  return { bridge, port, scopes };
}

it('a worker asks its server, and learns that it is done', async () => {
  const written: ActFacts[] = [];
  const { port } = await ask(async (facts) => {
    written.push(facts);
    return {};
  });
  await port.request('ledger.append', FACTS, never);
  expect(written).toEqual([FACTS]);
});

it('an error of the server keeps its code and its hint', async () => {
  const { port } = await ask(() =>
    Promise.reject(new SpillwayError('ledger_unavailable', 'The disk is full.', { hint: 'Make room.' })),
  );
  const error = await coded(port.request('ledger.append', FACTS, never));
  expect(error).toMatchObject({
    code: 'ledger_unavailable',
    message: 'The disk is full.',
    hint: 'Make room.',
  });
});

it('a server without the method says so', async () => {
  const { port } = await ask(() => Promise.resolve({}));
  const strange = { ...port, request: port.request } as unknown as {
    request(method: string, params: object, signal: AbortSignal): Promise<void>;
  };
  const error = await coded(strange.request('ledger.burn', {}, never));
  expect(error).toMatchObject({ code: 'api_not_found' });
});

it('parameters that break their schema are refused', async () => {
  const { port } = await ask(() => Promise.resolve({}));
  const error = await coded(port.request('ledger.append', { ...FACTS, risks: [] }, never));
  expect(error).toMatchObject({ code: 'invalid_argument' });
});

it('a cancelled request is cancelled at the server', async () => {
  let isCancelled = false;
  const cancel = new AbortController();
  const { port } = await ask(
    (_facts, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isCancelled = true;
          reject(signal.reason as Error);
        });
        cancel.abort(new SpillwayError('cancelled', 'Enough.'));
      }),
  );
  const error = await coded(port.request('ledger.append', FACTS, cancel.signal));
  expect(error).toMatchObject({ code: 'cancelled', message: 'Enough.' });
  await vi.waitFor(() => expect(isCancelled).toBe(true), PATIENCE);
});

it('a server that leaves fails what it was asked', async () => {
  const { bridge, port } = await ask(() => {
    void bridge.close();
    return new Promise(() => undefined);
  });
  const error = await coded(port.request('ledger.append', FACTS, never));
  expect(error.code).toMatch(/^(?:browser_disconnected|cancelled)$/);
});

it('a request says which call it is made for', async () => {
  const { bridge, scopes } = await ask(() => Promise.resolve({}));
  await coded(bridge.request('b1', 'tabs.get', { tab_id: 7 }, { call: TEST_SCOPE }));
  await coded(bridge.request('b1', 'tabs.get', { tab_id: 7 }, { call: null }));
  expect(scopes).toEqual([TEST_SCOPE, null]);
});

it('a worker of version 1 is served as before, without the call', async () => {
  const { bridge, scopes } = await ask(() => Promise.resolve({}), { min: 1, max: 1 });
  expect(bridge.browsers()[0]?.wire).toBe(1);
  await coded(bridge.request('b1', 'tabs.get', { tab_id: 7 }, { call: TEST_SCOPE }));
  expect(scopes).toEqual([null]);
});

it('a method answers with a result, and its parameters have their defaults', async () => {
  const asked: unknown[] = [];
  const { port } = await ask(() => Promise.resolve({}), undefined, {
    'outputs.list': (params) => {
      asked.push(params);
      return Promise.resolve({ outputs: [], total: 7, next: null });
    },
  });
  expect(await port.request('outputs.list', {}, never)).toEqual({ outputs: [], total: 7, next: null });
  expect(asked).toEqual([{ limit: 50 }]);
});

it('an answer that breaks the schema of its method is an error', async () => {
  const { port } = await ask(() => Promise.resolve({}), undefined, {
    'outputs.list': () => Promise.resolve({ outputs: [], total: -1, next: null }),
  });
  const error = await coded(port.request('outputs.list', {}, never));
  expect(error).toMatchObject({ code: 'upstream_error' });
  expect(error.message).toContain('total');
});

it('a server of this wire that lacks a method says so: a worker then shows less', async () => {
  const { port } = await ask(() => Promise.resolve({}));
  expect(await coded(port.request('feed.next', { cursor: null }, never))).toMatchObject({
    code: 'api_not_found',
  });
});

it('a question that a worker raises for a call that has been cancelled meanwhile is withdrawn', async () => {
  const withdrawn: string[] = [];
  const cancel = new AbortController();
  await rig.worker({
    handlers: {
      'tabs.get': () => {
        // The answer is on its way before the worker hears of it.
        cancel.abort(new SpillwayError('cancelled', 'Enough.'));
        throw new SpillwayError('approval_required', 'A person has to allow it.', { questionId: 'q1' });
      },
      'question.cancel': ({ id }) => {
        withdrawn.push(id);
        return Promise.resolve({ was_open: true });
      },
    },
  });
  const bridge = rig.bridge();
  await bridge.ready();
  const options = { call: TEST_SCOPE, signal: cancel.signal };
  const error = await coded(bridge.request('b1', 'tabs.get', { tab_id: 7 }, options));
  expect(error.code).toBe('cancelled');
  await vi.waitFor(() => expect(withdrawn).toEqual(['q1']), PATIENCE);
});
