import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createContinueHandler, createHumanInput } from '../../server/library/index.ts';
import { MESSAGES, scripted, shapeOf } from './scripted-human.ts';
import type { ScriptedCall } from './scripted-model.ts';

/*
 * A program whose model asks people, to be killed while it waits:
 *
 *     HOME STEPS    runs a model that asks for these steps, if there are any, and prints the pending action; then
 *                   serves POST /continue, and prints its port
 *
 * POST /continue returns the next pending action, or the model's text with everything sent and the model's input: each
 * message with the calls that it makes or answers.
 */

const [home = '', steps = '[]'] = process.argv.slice(2);
const script = JSON.parse(steps) as ScriptedCall[][];
const { loop, sent, model } = scripted(script, { human: createHumanInput({ home }) });
const pending = script.length === 0 ? null : await loop.run(MESSAGES);
const handler = createContinueHandler(
  async (payload) => {
    const end = await loop.continue(payload);
    if ('status' in end) return end;
    const prompt = model.doGenerateCalls.at(-1)?.prompt ?? [];
    return { text: end.text, sent, shape: shapeOf(prompt), prompt: JSON.stringify(prompt) };
  },
  { token: null },
);
const server = createServer(handler).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ port, pending }));
});
