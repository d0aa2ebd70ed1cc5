import { tool, type ModelMessage, type ToolSet } from 'ai';
import { z } from 'zod';
import {
  createHumanLoop,
  isPendingHumanInput,
  type HumanLoop,
  type HumanLoopOptions,
} from '../../server/library/ai-sdk/index.ts';
import {
  createHumanInput,
  HUMAN_INTERACTION_TOOL_NAME,
  type ContinuePayload,
  type PendingHumanInputAction,
} from '../../server/library/index.ts';
import { scriptedModel, type ScriptedCall } from './scripted-model.ts';

export const MESSAGES: ModelMessage[] = [{ role: 'user', content: 'When does Ada have time?' }];
const WHEN = { type: 'text', message: 'When do you have time?' };
export const APPROVAL = { type: 'approval', message: 'Send?' };

export const ask = (id: string, input: object = WHEN): ScriptedCall => ({
  id,
  name: HUMAN_INTERACTION_TOOL_NAME,
  input,
});
export const send = (id: string, to = 'ada@example.com'): ScriptedCall => ({
  id,
  name: 'send',
  input: { to },
});

/** A task whose model follows a script, with a tool that records what it sent. */
export function scripted(
  steps: readonly (readonly ScriptedCall[])[],
  options: Partial<HumanLoopOptions> = {},
): { loop: HumanLoop; sent: string[]; model: ReturnType<typeof scriptedModel> } {
  const sent: string[] = [];
  const model = scriptedModel(steps);
  const tools: ToolSet = {
    send: tool({
      inputSchema: z.object({ to: z.string() }),
      execute: async ({ to }) => {
        sent.push(to);
        return `sent to ${to}`;
      },
    }),
  };
  const loop = createHumanLoop({ model, tools, human: createHumanInput(), ...options } as HumanLoopOptions);
  return { loop, sent, model };
}

export const pendingOf = (answer: object): PendingHumanInputAction => {
  if (!isPendingHumanInput(answer)) throw new Error('it does not wait');
  // As a client gets it, and sends it back.
  return JSON.parse(JSON.stringify(answer)) as PendingHumanInputAction;
};

export async function paused(
  steps: readonly (readonly ScriptedCall[])[],
  options: Partial<HumanLoopOptions> = {},
) {
  const task = scripted(steps, options);
  const { messages, interaction } = pendingOf(await task.loop.run(MESSAGES));
  const answer = (toolCallId: string, userInput: unknown, changed: object[] = [...messages]) =>
    task.loop.continue({ messages: changed, toolCallId, userInput } as ContinuePayload);
  const prompt = () => task.model.doGenerateCalls[1]?.prompt ?? [];
  return { ...task, messages, interaction, answer, prompt };
}

/** Each message of a prompt: its role and the calls that it makes or answers. */
export const shapeOf = (messages: readonly { role: string; content: unknown }[]): readonly string[] =>
  messages.map(({ role, content }) => {
    const parts = Array.isArray(content) ? (content as { toolCallId?: string }[]) : [];
    return [role, ...parts.flatMap(({ toolCallId }) => toolCallId ?? [])].join(' ');
  });
