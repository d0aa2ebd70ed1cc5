import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { expect, it } from 'vitest';
import type { CallContext } from '../../../server/core/context.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { testTools, type Work } from '../../support/test-tool.ts';

const SAID = [5, 3, 5, Number.NaN, Infinity, -Infinity, 9, 9, 12];
const TOLD = [5, 9, 12];

const tell = ({ progress }: CallContext): void => {
  for (const done of SAID) progress({ done, total: done === 9 ? Infinity : 12, message: `step ${done}` });
};
const test_tell: Work = async (_args, context) => {
  tell(context);
  return produceJson({});
};

const Params = z.object({
  progressToken: z.union([z.string(), z.number()]),
  progress: z.number(),
  total: z.number().optional(),
  message: z.string(),
});
const Told = z.object({ method: z.literal('notifications/progress'), params: z.unknown() });
const heard: unknown[] = [];
const server = await startMemoryServer({}, testTools({ test_tell }));
server.client.setNotificationHandler(Told, ({ params }) => void heard.push(params));

const call = (progressToken: string, task?: object) => ({
  method: 'tools/call' as const,
  params: { name: 'test_tell', arguments: {}, _meta: { progressToken }, ...(task && { task }) },
});
const progressOf = (token: string): z.infer<typeof Params>[] =>
  heard.map((params) => Params.parse(params)).filter(({ progressToken }) => progressToken === token);

it.each(['a call', 'a task'])('progress of %s only rises, and is a number', async (what) => {
  if (what === 'a call') await server.client.request(call(what), CallToolResultSchema);
  else await server.client.request(call(what, {}), CreateTaskResultSchema);
  await expect.poll(() => progressOf(what).at(-1)?.progress).toBe(12);
  expect(progressOf(what).map(({ progress }) => progress)).toEqual(TOLD);
  expect(progressOf(what).map(({ total }) => total)).toEqual([12, undefined, 12]);
  expect(progressOf(what).map(({ message }) => message)).toEqual(TOLD.map((done) => `step ${done}`));
});
