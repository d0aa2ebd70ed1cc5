import { expect, it } from 'vitest';
import type { GateDecision } from '../../../server/core/calls/prepare.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { publicFields } from '../../../server/core/registry/definition.ts';
import { createSession } from '../../support/session.ts';
import { takenIds } from '../../support/taken-ids.ts';
import { buildCancelled } from '../../../server/core/calls/call.ts';
import { testProvider } from '../../support/test-provider.ts';
import { echo, testManifest, untilAborted } from '../../support/test-tool.ts';
import { testExecutor } from './support.ts';

// Input from outside the executor may be anything, and may fail only its own call.

const answers: readonly [string, unknown][] = [
  ['allow: false', { allow: false }],
  ['allow: false and a question', { allow: false, ask: {} }],
  ['a yes and a question', { allow: true, ask: {} }],
  ['nothing', undefined],
  ['an empty object', {}],
  ['a yes in words', { allow: 'yes' }],
];
it.each(answers)('a gate that answers %s lets nothing through', async (_name, answer) => {
  let performed = 0;
  const { executor, call } = testExecutor(async () => ((performed += 1), produceJson('done')), {
    gate: { check: async () => answer as GateDecision },
  });
  const result = await executor.execute(call());
  expect(performed).toBe(0);
  expect(result.pending !== undefined || !result.ok).toBe(true);
});

it('a call id that was used before does not answer another call with an end that was decided', async () => {
  const { executor, call } = testExecutor(echo, { gate: { check: async () => ({ ask: {} }) } });
  const session = createSession('session');
  await executor.execute(call({ callId: 'call_0', session, args: { value: 'first' } }));
  const first = await executor.questions.decide('call_0', { approve: true, by: 'Ada' });
  expect(first.content[0]).toMatchObject({ text: '{"value":"first"}' });
  const other = await executor.execute(call({ callId: 'call_0', session, args: { value: 'second' } }));
  expect(other.pending?.args).toEqual({ value: 'second' });
  const second = await executor.questions.decide('call_0', { approve: true, by: 'Ada' });
  expect(second.content[0]).toMatchObject({ text: '{"value":"second"}' });
});

it('an approval can be cancelled by who gave it', async () => {
  const { executor, call } = testExecutor((_args, { signal }) => untilAborted(signal), {
    gate: { check: async () => ({ ask: {} }) },
  });
  await executor.execute(call({ callId: 'asked' }));
  const cancel = new AbortController();
  const end = executor.questions.decide('asked', { approve: true, by: 'Ada' }, cancel.signal);
  cancel.abort();
  expect((await end).error?.code).toBe('cancelled');
});

it('a provider whose runtime never comes is left behind when its call is cancelled', async () => {
  const manifest = testManifest('other_tool');
  const silent = { kind: 'direct', manifest, runtime: () => new Promise<never>(() => undefined) } as const;
  const { executor, call } = testExecutor(echo, { providers: [testProvider('other', [silent])] });
  const cancel = new AbortController();
  const given = call({ tool: 'other_tool', signal: cancel.signal });
  const end = executor.execute(given);
  setImmediate(() => cancel.abort());
  expect((await end).error?.code).toBe('cancelled');
  expect(await takenIds(executor, [given.callId])).toEqual([]);
});

it.each([
  'text/html; profile="mcp-app"',
  'text/html;charset=utf-8;profile=mcp-app',
  'text/html;profile=mcp-app;a=b',
  'text/html+skybridge; charset=utf-8',
  ' Text/HTML;profile=mcp-app',
])('%s is a widget, however it is written', (mimeType) => {
  const contents = [{ uri: 'https://a.test/w', mimeType, text: '<p>' }];
  expect(publicFields({ contents }, null)).toEqual({ contents: [] });
  const plain = [{ uri: 'https://a.test/w', mimeType: 'text/html; charset=utf-8', text: '<p>' }];
  expect(publicFields({ contents: plain }, null)).toEqual({ contents: plain });
});

const SECRET = `ghp_${'aB3dE6gH9'.repeat(4)}`;

it('redacts the failure of a call whose services did not load', async () => {
  const { executor, call } = testExecutor(echo, {
    servicesFailure: new Error(`cannot open https://example.org/?access_token=${SECRET}`),
  });
  const result = await executor.execute(call());
  expect(result.ok).toBe(false);
  expect(JSON.stringify(result)).not.toContain(SECRET);
});

it('journals no beginning of a secret that the cut of a long argument went through', async () => {
  const { executor, call, journal } = testExecutor(echo);
  await executor.execute(call({ args: { value: `https://example.com/${'x'.repeat(150)}/${SECRET}` } }));
  expect(JSON.stringify(journal)).toContain('https://example.com/xxx');
  expect(JSON.stringify(journal)).not.toContain(SECRET.slice(0, 8));
});

it('redacts the refusal of a call that does not reach the pipeline', () => {
  const { executor } = testExecutor(echo);
  expect(JSON.stringify(executor.refusal(buildCancelled(`a client with ${SECRET}`)))).not.toContain(SECRET);
});
