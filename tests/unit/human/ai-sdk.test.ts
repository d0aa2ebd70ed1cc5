import { expect, test } from 'vitest';
import {
  conversationOf,
  isPendingHumanInput,
  runWithHumanInput,
} from '../../../server/adapters/ai-sdk/index.ts';
import {
  ContinuePayloadSchema,
  createHumanInput,
  PendingHumanInputActionSchema,
} from '../../../server/library/index.ts';
import { codeOf } from '../../support/code-of.ts';
import {
  APPROVAL,
  ask,
  MESSAGES,
  paused,
  pendingOf,
  scripted,
  send,
  shapeOf,
} from '../../support/scripted-human.ts';
import { scriptedModel } from '../../support/scripted-model.ts';

test('a question is answered as a pending action, and the model reads who answered what and where', async () => {
  const { loop, model } = scripted([[ask('c1')]]);
  const pending = pendingOf(await loop.run(MESSAGES));
  expect(PendingHumanInputActionSchema.parse(pending)).toMatchObject({
    status: 'requires_human_input',
    interaction: {
      toolCallId: 'c1',
      toolName: 'requestHumanInput',
      args: { type: 'text', message: 'When do you have time?' },
      others: [],
      waiting: [],
    },
  });
  const userInput = { by: 'Ada', where: 'the panel', answer: 'On Tuesday.', data: { thread: 7 } };
  const payload = ContinuePayloadSchema.parse({ messages: pending.messages, toolCallId: 'c1', userInput });
  const end = await loop.continue(payload);
  expect(end).toMatchObject({ text: 'Done.' });
  const value = {
    summary: 'Ada answered in the panel',
    question: 'When do you have time?',
    answered_by: 'Ada',
    where: 'the panel',
    answer: 'On Tuesday.',
    data: { thread: 7 },
  };
  expect(model.doGenerateCalls[1]?.prompt[2]).toMatchObject({
    content: [{ output: { type: 'json', value } }],
  });
  expect(shapeOf(conversationOf(end) ?? [])).toEqual(['user', 'assistant c1', 'tool c1', 'assistant']);
});

test('a response without a question is the one of generateText', async () => {
  const { loop, sent } = scripted([[send('c1')]]);
  const end = await loop.run(MESSAGES);
  if (isPendingHumanInput(end)) throw new Error('nobody was asked');
  expect(end.steps[0]?.toolResults[0]?.output).toBe('sent to ada@example.com');
  expect(end.response.messages).toHaveLength(2);
  expect(sent).toEqual(['ada@example.com']);
});

test('runWithHumanInput is one run', async () => {
  const answer = await runWithHumanInput({ model: scriptedModel([[ask('c1')]]), messages: MESSAGES });
  expect(pendingOf(answer).interaction.toolCallId).toBe('c1');
});

test('nothing of the turn executes before the answer, and each call gets one result in their order', async () => {
  const turn = [send('c1', 'a@x.org'), ask('c2', APPROVAL), send('c3', 'b@x.org')];
  const { sent, messages, interaction, answer, prompt } = await paused([turn]);
  expect(sent).toEqual([]);
  expect(interaction.waiting).toEqual([
    { toolCallId: 'c1', toolName: 'send', args: { to: 'a@x.org' } },
    { toolCallId: 'c3', toolName: 'send', args: { to: 'b@x.org' } },
  ]);
  await answer('c2', true, [...messages, { role: 'user', content: 'Hurry up.' }]);
  expect(sent).toEqual(['a@x.org', 'b@x.org']);
  expect(shapeOf(prompt())).toEqual(['user', 'assistant c1 c2 c3', 'tool c1 c2 c3', 'user']);
});

test.each<[string, unknown, string[], RegExp]>([
  [
    'no',
    { answer: false, by: 'Ada', reason: 'not today' },
    [],
    /Ada said no: not today.*call_denied|call_denied.*Ada said no: not today/,
  ],
  [
    'a refusal',
    { declined: true, by: 'Ada' },
    [],
    /Ada declined to answer.*call_denied|call_denied.*Ada declined to answer/,
  ],
  [
    'changed arguments',
    { answer: true, args: { c1: { to: 'bob@example.com' } } },
    ['bob@example.com'],
    // The model's own call is as it made it.
    /ada@example\.com.*"changed_arguments":\{"c1":\{"to":"bob@example\.com"\}\}/,
  ],
  ['changed arguments that do not fit', { answer: true, args: { c1: { to: 7 } } }, [], /invalid_argument/],
])(
  'after %s the calls that waited are as the person says, and the model reads it',
  async (_what, userInput, sends, said) => {
    const { sent, answer, prompt } = await paused([[send('c1'), ask('c2', APPROVAL)]]);
    await answer('c2', userInput);
    expect(sent).toEqual(sends);
    expect(JSON.stringify(prompt())).toMatch(said);
  },
);

test.each([[['c1', 'c2']], [['c2', 'c1']]])(
  'of two questions at once each is answered, in the order %j',
  async ([first = '', second = '']) => {
    const { sent, model, interaction, answer, prompt } = await paused([[ask('c1'), send('c3'), ask('c2')]]);
    expect(interaction.others).toMatchObject([{ toolCallId: 'c2' }]);
    const next = pendingOf(await answer(first, first));
    expect(next.interaction).toMatchObject({
      toolCallId: second,
      others: [],
      waiting: [{ toolCallId: 'c3' }],
    });
    expect(sent).toEqual([]);
    expect(model.doGenerateCalls).toHaveLength(1);
    await answer(second, second, [...next.messages]);
    expect(sent).toHaveLength(1);
    expect(shapeOf(prompt())[2]).toBe('tool c1 c3 c2');
  },
);

test('two answers at the same moment: one is taken, and calls execute once', async () => {
  const { sent, answer } = await paused([[send('c1'), ask('c2')]]);
  const both = [1, 2].map((at) => codeOf(answer('c2', `${at}`)));
  expect((await Promise.all(both)).toSorted()).toEqual(['human_input_answered', 'no error']);
  expect(await codeOf(answer('c2', 'x'))).toBe('human_input_answered');
  expect(sent).toHaveLength(1);
});

test('a toolCallId that is unknown, of a call that waits or of another task is refused', async () => {
  const human = createHumanInput();
  const { sent, answer } = await paused([[send('c1'), ask('c2')]], { human });
  await paused([[ask('d2')]], { human });
  expect(await codeOf(answer('c9', 'x'))).toBe('human_input_not_found');
  expect(await codeOf(answer('c1', 'x'))).toBe('human_input_not_found');
  expect(await codeOf(answer('d2', 'x'))).toBe('messages_tampered');
  expect(sent).toEqual([]);
});

const text = { type: 'text', message: 'Q' };
const choice = { type: 'choice', message: 'Q', choices: ['a', 'b'] };
const schema = {
  type: 'object',
  properties: { day: { type: 'string', enum: ['Mon', 'Tue'] }, seats: { type: 'integer', minimum: 1 } },
  required: ['day'],
};
const form = { type: 'form', message: 'Q', schema };

test.each<[object, unknown, string]>([
  [text, ' ', 'not blank'],
  [APPROVAL, 'yes', 'true or false'],
  [choice, 'c', 'one of a, b'],
  [form, 'x', 'takes an object'],
  [form, { answer: {} }, 'day: is required'],
  [form, { answer: { day: 'Sun' } }, 'one of Mon, Tue'],
  [form, { answer: { day: 'Mon', seats: 0 } }, 'seats: takes 1'],
  [form, { answer: { day: 'Mon', x: 1 } }, 'unknown field'],
  [text, { by: 'Ada' }, 'takes an answer'],
  [text, { answer: 'x', declined: true }, 'not both'],
  // It does not wait.
  [text, { answer: 'x', args: { c9: {} } }, 'c9'],
])('the question %j is not answered by %j, and stays open', async (question, userInput, says) => {
  const { model, answer } = await paused([[ask('c1', question)]]);
  await expect(answer('c1', userInput)).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining(says),
  });
  expect(model.doGenerateCalls).toHaveLength(1);
  await answer('c1', { declined: true });
  expect(model.doGenerateCalls).toHaveLength(2);
});

test.each([
  [form, { answer: { day: 'Mon', seats: 2 } }],
  [choice, 'b'],
])('the question %j is answered by %j', async (question, userInput) => {
  const { answer } = await paused([[ask('c1', question)]]);
  expect(await answer('c1', userInput)).toMatchObject({ text: 'Done.' });
});
