import { generateText, stepCountIs } from 'ai';
import { describe, expect, it } from 'vitest';
import { stopRequested, toAiSdkTools } from '../../../server/library/ai-sdk/index.ts';
import type { Gate } from '../../../server/core/calls/prepare.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { localSpillways } from '../../support/local-spillway.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { collect, DONE, endOf, READ, loopOver } from '../../support/scripted-loop.ts';
import { scriptedModel, type ScriptedCall } from '../../support/scripted-model.ts';

const start = localSpillways();
const CALL: ScriptedCall = { id: 'call-1', name: 'read_page', input: { tab: 'b1:1' } };

describe.each(['agent_stopped', 'budget_exceeded'] as const)('%s', (code) => {
  const gate: Gate = { check: () => Promise.reject(new SpillwayError(code, 'No more.')) };

  it('asks the model of the Anthropic loop no further', async () => {
    const { spillway } = await start({ gate });
    const { loop, server } = await loopOver(spillway, [{ content: [READ] }, DONE]);
    expect(endOf(await collect(loop))?.reason).toBe('stopped');
    expect(server.requests).toHaveLength(1);
  });

  it('asks the model of the AI SDK no further', async () => {
    const { spillway } = await start({ gate });
    const model = scriptedModel([[CALL]]);
    const stopWhen = [stopRequested, stepCountIs(5)];
    await generateText({ model, tools: toAiSdkTools(spillway), prompt: 'Read the page.', stopWhen });
    expect(model.doGenerateCalls).toHaveLength(1);
  });

  it('says stop in an MCP answer, and names no tool to call', async () => {
    const server = await startMemoryServer({ mode: 'apps' }, { gate });
    const { raw, json } = await server.call('read_page', { tab: 'b1:1' });
    await server.close();
    const hint = expect.not.stringContaining('find_tools');
    expect(raw.structuredContent).toMatchObject({ error: { code, hint }, stop: true });
    expect(json()).toEqual(raw.structuredContent);
  });
});
