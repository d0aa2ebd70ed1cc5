import { beforeEach, expect, it } from 'vitest';
import type { Gate } from '../../../server/core/calls/prepare.ts';
import type { StepRisk } from '../../../shared/core/policy/call-risks.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';

/** A typical policy: by the risks of calls, whatever the tool. */
const seen: (readonly StepRisk[])[] = [];
const gate: Gate = {
  check: async ({ risks }) => {
    seen.push(risks);
    const uploads = risks.filter(({ risk }) => risk === 'upload');
    if (uploads.length > 0)
      throw new SpillwayError('call_denied', `No uploads: steps ${uploads.map(({ step }) => step).join()}.`);
    return risks.some(({ risk }) => risk === 'submit' || risk === 'navigate')
      ? { ask: { question: 'May it?', steps: risks.map(({ step }) => step) } }
      : { allow: true };
  },
};

let server: MemoryServer;
beforeEach(async () => {
  seen.length = 0;
  server = await startMemoryServer({}, { gate });
});

it('a gate that decides by risk denies, and knows the step', async () => {
  const answer = await server.call('interact', { steps: ['hover e1', 'upload e2 /etc/passwd'] });
  expect(answer.text).toContain('call_denied');
  expect(answer.text).toContain('steps 1');
});

it.each<[string, Record<string, unknown>, readonly (number | null)[]]>([
  ['interact', { steps: ['fill e1 a', 'click e2'] }, [0, 1, 1, 1, 1]],
  ['navigate', { url: 'https://a.test/' }, [null]],
  ['tabs', { action: 'open', url: 'https://a.test/' }, [null]],
])('a gate that decides by risk asks about %s %j', async (tool, args, steps) => {
  const answer = await server.call(tool, args);
  expect(answer.json()).toMatchObject({ pending: { tool, interaction: { question: 'May it?', steps } } });
});

it('a gate that decides by risk knows which calls read, and which do not touch a page', async () => {
  await server.call('tabs', { action: 'list' });
  await server.call('read_page', {});
  await server.call('network', { action: 'status' });
  await server.call('interact', { steps: ['scroll down 300'] });
  expect(seen).toEqual([[], [{ risk: 'read', step: null }], [], []]);
  expect(Object.isFrozen(seen[1]) && Object.isFrozen(seen[1]?.[0])).toBe(true);
});

it('every tool that touches a page states its risks', () => {
  for (const { name, risk, risksOf } of MANIFESTS) expect(risksOf === null, name).toBe(risk === 'none');
});

it('the journal tells the agent, the risks and the steps of each call', async () => {
  await server.call('interact', { steps: ['upload e2 /a', 'hover e1'] });
  await server.call('interact', { steps: ['click e2', 'click e3'] });
  await server.call('interact', { steps: 5 });
  await server.call('tabs', { action: 'list' });
  const recent = await server.call('oc_journal', { action: 'recent', count: 10 });
  const calls = recent
    .json<Record<string, unknown>[]>()
    .filter(({ event }) => event === 'tool_call')
    .map(({ agent, tool, risks, did }) => [agent, tool, risks, did]);
  expect(calls).toEqual([
    [
      'contract',
      'interact',
      ['input', 'submit', 'navigate', 'download', 'upload'],
      ['upload e2', 'hover e1'],
    ],
    ['contract', 'interact', ['input', 'submit', 'navigate', 'download'], ['click e2', 'click e3']],
    ['contract', 'interact', undefined, undefined],
    ['contract', 'tabs', undefined, undefined],
  ]);
});
