import { afterEach, expect, it } from 'vitest';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { PATIENCE } from '../../support/patience.ts';
import { Gates, written } from './gated-page.ts';
import { actingRig } from './rig.ts';

const gates = new Gates();
const rig = actingRig(gates.pages);
afterEach(() => gates.open());

const CLICK = 'mousedown first;mouseup first;click first;';

async function sendRaw(message: JSONRPCMessage & { readonly id: string }, times: number): Promise<unknown[]> {
  const { transport } = rig.server.client;
  if (transport === undefined) throw new Error('The client is not connected.');
  const answers: unknown[] = [];
  const receive = transport.onmessage?.bind(transport);
  transport.onmessage = (received, extra) => {
    if ('id' in received && received.id === message.id) answers.push(received);
    else receive?.(received, extra);
  };
  for (let at = 0; at < times; at += 1) await transport.send(message);
  return answers;
}

it('an act that is sent twice as one request of JSON-RPC is done once, and answered once', async () => {
  const tab = await rig.open('events?at=mousedown');
  const params = { name: 'interact', arguments: { tab, steps: ['click css=#first'] } };
  const answers = await sendRaw({ jsonrpc: '2.0', id: 'again', method: 'tools/call', params }, 2);
  await expect.poll(() => gates.held, PATIENCE).toBe(1);
  // Calls on one tab run in order: an act sent twice would have run before this one.
  const next = rig.act(tab, 'click css=#check');
  gates.open();
  expect((await next).isError).toBe(false);
  expect(answers).toHaveLength(1);
  expect(JSON.stringify(answers)).toContain('done 1');
  expect(await written(rig, tab)).toBe(`${CLICK}buttons 0;mousedown check;mouseup check;click check;`);
  await rig.close(tab);
});
