import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readRegistrations } from '../../../server/core/bridge/registrations.ts';
import type { ServerMethods } from '../../../shared/core/bridge/server-methods.ts';
import { defer } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { ActFacts } from '../../../shared/ledger/report.ts';
import type { ServerPort } from '../../../extension/core/handler.ts';
import { BridgeRig, coded, endless } from '../../support/bridge-rig.ts';
import { PATIENCE } from '../../support/patience.ts';
import { TEST_SCOPE } from '../../support/session.ts';

vi.mock(import('../../../server/core/bridge/host/note.ts'), () => import('../../support/silent-note.ts'));

const FACTS: ActFacts = {
  scope: TEST_SCOPE,
  risks: ['submit'],
  site: 'https://shop.example',
  tab_id: 7,
  allowed_by: { kind: 'rule', id: 'default' },
};
const never = new AbortController().signal;

let rig: BridgeRig;
beforeEach(() => void (rig = new BridgeRig({ isHostHere: true })));
afterEach(() => rig.close());

/** A worker and a server with this answer; handlers of that worker reach the server through the port. */
async function ask(
  append: ServerMethods['ledger.append'],
  wire = { min: 1, max: 2 },
  others: Partial<ServerMethods> = {},
) {
  const port = defer<ServerPort>();
  const scopes: unknown[] = [];
  await rig.worker({
    wire,
    onServer: port.resolve,
    handlers: {
      'tabs.get': (_params, { scope }) => {
        scopes.push(scope);
        throw new SpillwayError('tab_not_found', 'There is no tab 7.');
      },
    },
  });
  const bridge = await rig.readyBridge({ methods: { 'ledger.append': append, ...others } });
  return { bridge, port: await port.promise, scopes };
}

it('a worker asks its server, and gets the answer', async () => {
  const written: ActFacts[] = [];
  const { port } = await ask(async (facts) => {
    written.push(facts);
    return {};
  });
  await port.request('ledger.append', FACTS, never);
  expect(written).toEqual([FACTS]);
});

it('an error of the server keeps its code and its hint', async () => {
  const failure = { code: 'ledger_unavailable', message: 'The disk is full.', hint: 'Make room.' } as const;
  const { port } = await ask(() =>
    Promise.reject(new SpillwayError(failure.code, failure.message, { hint: failure.hint })),
  );
  expect(await coded(port.request('ledger.append', FACTS, never))).toMatchObject(failure);
});

it('parameters that break their schema are refused, and a method that is not there is named', async () => {
  const { port } = await ask(() => Promise.resolve({}));
  const wrong = port.request('ledger.append', { ...FACTS, risks: [] }, never);
  expect((await coded(wrong)).code).toBe('invalid_argument');
  expect((await coded(port.request('feed.next', { cursor: null }, never))).code).toBe('api_not_found');
});

it('a cancelled request is cancelled at the server', async () => {
  const { handler, cancelled } = endless();
  const cancel = new AbortController();
  const { port } = await ask((facts, signal) => {
    cancel.abort(new SpillwayError('cancelled', 'Enough.'));
    return handler(facts, { signal });
  });
  const error = await coded(port.request('ledger.append', FACTS, cancel.signal));
  expect(error).toMatchObject({ code: 'cancelled', message: 'Enough.' });
  await cancelled;
});

it('a server that leaves fails its pending requests', async () => {
  const { bridge, port } = await ask(() => {
    void bridge.close();
    return new Promise(() => undefined);
  });
  const error = await coded(port.request('ledger.append', FACTS, never));
  expect(error.code).toMatch(/^(?:browser_disconnected|cancelled)$/);
});

it.each([
  [2, TEST_SCOPE],
  [1, null],
])('a request to a worker of version %i says which call it is made for: %o', async (version, scope) => {
  const { bridge, scopes } = await ask(() => Promise.resolve({}), { min: 1, max: version });
  expect(bridge.browsers()[0]?.wire).toBe(version);
  await coded(bridge.request('b1', 'tabs.get', { tab_id: 7 }, { call: TEST_SCOPE }));
  await coded(bridge.request('b1', 'tabs.get', { tab_id: 7 }, { call: null }));
  expect(scopes).toEqual([scope, null]);
});

it('an answer that breaks the schema of its method is an error', async () => {
  const { port } = await ask(() => Promise.resolve({}), undefined, {
    'outputs.list': () => Promise.resolve({ outputs: [], total: -1, next: null }),
  });
  const error = await coded(port.request('outputs.list', {}, never));
  expect(error).toMatchObject({ code: 'upstream_error' });
  expect(error.message).toContain('total');
});

it('a question that a worker raises for a call that has been cancelled meanwhile is withdrawn', async () => {
  const withdrawn: string[] = [];
  const cancel = new AbortController();
  await rig.worker({
    handlers: {
      'tabs.get': () => {
        // The answer is in flight before the worker knows.
        cancel.abort(new SpillwayError('cancelled', 'Enough.'));
        throw new SpillwayError('approval_required', 'A person has to allow it.', { questionId: 'q1' });
      },
      'question.cancel': ({ id }) => {
        withdrawn.push(id);
        return Promise.resolve({ was_open: true });
      },
    },
  });
  const bridge = await rig.readyBridge();
  const options = { call: TEST_SCOPE, signal: cancel.signal };
  const error = await coded(bridge.request('b1', 'tabs.get', { tab_id: 7 }, options));
  expect(error.code).toBe('cancelled');
  await vi.waitFor(() => expect(withdrawn).toEqual(['q1']), PATIENCE);
});

const labels = (): (string | null)[] =>
  readRegistrations(rig.directory).map(({ registration }) => registration.browser.label);

it.each(['begins', 'listens'])('a host that %s takes the name, and later servers know it', async (does) => {
  const worker = does === 'begins' ? rig.silentWorker() : await rig.worker();
  if (does === 'begins') worker.sayHello();
  worker.send(0, { type: 'browser', browser: { name: 'Fake', version: '1.0', label: 'Work' } });
  expect((await worker.control('hello')).takes_browser).toBe(true);
  await worker.listening();
  expect(labels()).toEqual(['Work']);
  const bridge = await rig.readyBridge();
  expect(bridge.browsers().map(({ facts }) => facts.label)).toEqual(['Work']);
});

it('a connected server takes the name without invisible characters, and its removal', async () => {
  const { bridge, port } = await ask(() => Promise.resolve({}));
  const name = (label: string | null): Promise<object> => port.request('browser.named', { label }, never);
  const label = (): string | null | undefined => bridge.browsers()[0]?.facts.label;
  await name(' \u202eHome\u200b');
  expect(label()).toBe('Home');
  await name('\u200b');
  expect(label()).toBeNull();
  await expect(name('x'.repeat(65))).rejects.toMatchObject({ code: 'invalid_argument' });
});
