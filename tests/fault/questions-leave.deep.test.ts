import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it, vi } from 'vitest';
import { PATIENCE } from '../support/patience.ts';
import { QuestionRig } from '../support/question-rig.ts';

vi.setConfig({ testTimeout: 300_000 });

let rig: QuestionRig;
beforeAll(async () => {
  rig = await QuestionRig.start();
});

/** From before the call has reached the browser to when its card is shown; the end of a question is missed at few of them. */
const MOMENTS_MS = Array.from({ length: 24 }, (_, index) => index * 10);

it('a client that leaves at any moment leaves no question behind', async () => {
  const { server, site, start } = await rig.shop();
  await server.client.close();
  for (const moment of MOMENTS_MS) {
    const next = await start();
    const opened = await next.call('navigate', { url: `${site}/` });
    expect(opened.isError, opened.text).toBe(false);
    const ending = next.call('interact', { steps: ['click text=Buy'] }).catch(() => 'gone');
    await delay(moment);
    await next.client.close();
    await ending;
    // A server that ended without a word would leave its question for a minute.
    await vi.waitFor(async () => expect(await rig.countQuestions(), `after ${moment} ms`).toBe(0), PATIENCE);
  }
});
