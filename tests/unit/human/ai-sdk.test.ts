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
import { ask, codeOf, MESSAGES, pendingOf, scripted, send, shapeOf } from '../../support/scripted-human.ts';
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
  const prompt = model.doGenerateCalls[1]?.prompt ?? [];
  expect(shapeOf(prompt)).toEqual(['user', 'assistant c1', 'tool c1']);
  expect(prompt[2]).toMatchObject({
    content: [
      {
        output: {
          type: 'json',
          value: {
            summary: 'Ada answered in the panel',
            question: 'When do you have time?',
            answered_by: 'Ada',
            where: 'the panel',
            answer: 'On Tuesday.',
            data: { thread: 7 },
          },
        },
      },
    ],
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
  const { loop, sent, model } = scripted([
    [send('c1', 'a@x.org'), ask('c2', { type: 'approval', message: 'Send?' }), send('c3', 'b@x.org')],
  ]);
  const pending = pendingOf(await loop.run(MESSAGES));
  expect(sent).toEqual([]);
  expect(pending.interaction.waiting).toEqual([
    { toolCallId: 'c1', toolName: 'send', args: { to: 'a@x.org' } },
    { toolCallId: 'c3', toolName: 'send', args: { to: 'b@x.org' } },
  ]);
  const later = [...pending.messages, { role: 'user', content: 'Hurry up.' }];
  await loop.continue({ messages: later, toolCallId: 'c2', userInput: true });
  expect(sent).toEqual(['a@x.org', 'b@x.org']);
  expect(shapeOf(model.doGenerateCalls[1]?.prompt ?? [])).toEqual([
    'user',
    'assistant c1 c2 c3',
    'tool c1 c2 c3',
    'user',
  ]);
});

test.each([
  ['no', { answer: false, by: 'Ada', reason: 'not today' }, 'Ada said no: not today'],
  ['a refusal', { declined: true, by: 'Ada' }, 'Ada declined to answer'],
] as const)('after %s the calls that waited are denied', async (_what, userInput, why) => {
  const { loop, sent, model } = scripted([[send('c1'), ask('c2', { type: 'approval', message: 'Send?' })]]);
  const { messages } = pendingOf(await loop.run(MESSAGES));
  await loop.continue({ messages, toolCallId: 'c2', userInput });
  expect(sent).toEqual([]);
  const prompt = JSON.stringify(model.doGenerateCalls[1]?.prompt);
  expect(prompt).toContain('call_denied');
  expect(prompt).toContain(why);
});

test('a person may change the arguments of a call that waits; the model reads that', async () => {
  const { loop, sent, model } = scripted([[send('c1'), ask('c2', { type: 'approval', message: 'Send?' })]]);
  const { messages } = pendingOf(await loop.run(MESSAGES));
  const userInput = { answer: true, args: { c1: { to: 'bob@example.com' } } };
  await loop.continue({ messages, toolCallId: 'c2', userInput });
  expect(sent).toEqual(['bob@example.com']);
  const prompt = model.doGenerateCalls[1]?.prompt ?? [];
  // The model's own call is as it made it.
  expect(JSON.stringify(prompt[1])).toContain('ada@example.com');
  expect(JSON.stringify(prompt[2])).toContain('"changed_arguments":{"c1":{"to":"bob@example.com"}}');
});

test('changed arguments that do not fit the tool are an error that the model reads', async () => {
  const { loop, sent, model } = scripted([[send('c1'), ask('c2', { type: 'approval', message: 'Send?' })]]);
  const { messages } = pendingOf(await loop.run(MESSAGES));
  await loop.continue({ messages, toolCallId: 'c2', userInput: { answer: true, args: { c1: { to: 7 } } } });
  expect(sent).toEqual([]);
  expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('invalid_argument');
});

test('changed arguments of a call that does not wait are refused, and the question stays open', async () => {
  const { loop } = scripted([[ask('c1')]]);
  const { messages } = pendingOf(await loop.run(MESSAGES));
  const wrong = { messages, toolCallId: 'c1', userInput: { answer: 'x', args: { c9: {} } } };
  expect(await codeOf(loop.continue(wrong))).toBe('invalid_argument');
  expect(await loop.continue({ messages, toolCallId: 'c1', userInput: 'x' })).toMatchObject({
    text: 'Done.',
  });
});

test.each([[['c1', 'c2']], [['c2', 'c1']]])(
  'of two questions at once each is answered, in the order %j',
  async (order) => {
    const { loop, sent, model } = scripted([[ask('c1'), send('c3'), ask('c2')]]);
    const pending = pendingOf(await loop.run(MESSAGES));
    expect(pending.interaction.others).toMatchObject([{ toolCallId: 'c2' }]);
    const { messages } = pending;
    const [first = '', second = ''] = order;
    const next = pendingOf(await loop.continue({ messages, toolCallId: first, userInput: first }));
    expect(next.interaction).toMatchObject({
      toolCallId: second,
      others: [],
      waiting: [{ toolCallId: 'c3' }],
    });
    expect(sent).toEqual([]);
    expect(model.doGenerateCalls).toHaveLength(1);
    await loop.continue({ messages: next.messages, toolCallId: second, userInput: second });
    expect(sent).toHaveLength(1);
    expect(shapeOf(model.doGenerateCalls[1]?.prompt ?? [])[2]).toBe('tool c1 c3 c2');
  },
);

test('two answers at the same moment: one is taken, and calls execute once', async () => {
  const { loop, sent } = scripted([[send('c1'), ask('c2')]]);
  const { messages } = pendingOf(await loop.run(MESSAGES));
  const both = [1, 2].map((at) => codeOf(loop.continue({ messages, toolCallId: 'c2', userInput: `${at}` })));
  expect((await Promise.all(both)).toSorted()).toEqual(['human_input_answered', 'no error']);
  expect(sent).toHaveLength(1);
});

test.each([
  ['unknown', 'c9', 'human_input_not_found'],
  ['of a call that waits', 'c1', 'human_input_not_found'],
])('a toolCallId that is %s is refused', async (_what, toolCallId, code) => {
  const { loop, sent } = scripted([[send('c1'), ask('c2')]]);
  const { messages } = pendingOf(await loop.run(MESSAGES));
  expect(await codeOf(loop.continue({ messages, toolCallId, userInput: 'x' }))).toBe(code);
  expect(sent).toEqual([]);
});

test('a toolCallId of another task does not open this one', async () => {
  const human = createHumanInput();
  const one = scripted([[send('c1'), ask('c2')]], { human });
  const other = scripted([[ask('d2')]], { human });
  const { messages } = pendingOf(await one.loop.run(MESSAGES));
  pendingOf(await other.loop.run(MESSAGES));
  expect(await codeOf(one.loop.continue({ messages, toolCallId: 'd2', userInput: 'x' }))).toBe(
    'messages_tampered',
  );
  expect(one.sent).toEqual([]);
});

test('an answered question is not answered again', async () => {
  const { loop, sent } = scripted([[send('c1'), ask('c2')]]);
  const { messages } = pendingOf(await loop.run(MESSAGES));
  await loop.continue({ messages, toolCallId: 'c2', userInput: 'x' });
  expect(await codeOf(loop.continue({ messages, toolCallId: 'c2', userInput: 'x' }))).toBe(
    'human_input_answered',
  );
  expect(sent).toHaveLength(1);
});

const form = {
  type: 'object',
  properties: { day: { type: 'string', enum: ['Mon', 'Tue'] }, seats: { type: 'integer', minimum: 1 } },
  required: ['day'],
};
test.each([
  ['an empty text', { type: 'text', message: 'Q' }, ' ', 'not blank'],
  ['a text for an approval', { type: 'approval', message: 'Q' }, 'yes', 'true or false'],
  ['no choice of the list', { type: 'choice', message: 'Q', choices: ['a', 'b'] }, 'c', 'one of a, b'],
  ['a text for a form', { type: 'form', message: 'Q', schema: form }, 'x', 'takes an object'],
  [
    'a form without what it requires',
    { type: 'form', message: 'Q', schema: form },
    { answer: {} },
    'day: is required',
  ],
  [
    'a form with a wrong value',
    { type: 'form', message: 'Q', schema: form },
    { answer: { day: 'Sun' } },
    'one of Mon, Tue',
  ],
  [
    'a form with a number out of range',
    { type: 'form', message: 'Q', schema: form },
    { answer: { day: 'Mon', seats: 0 } },
    'seats: takes 1',
  ],
  [
    'a form with another field',
    { type: 'form', message: 'Q', schema: form },
    { answer: { day: 'Mon', x: 1 } },
    'unknown field',
  ],
  ['no answer', { type: 'text', message: 'Q' }, { by: 'Ada' }, 'takes an answer'],
  ['an answer and a refusal', { type: 'text', message: 'Q' }, { answer: 'x', declined: true }, 'not both'],
])('%s is refused, and the question stays open', async (_what, question, userInput, says) => {
  const { loop, model } = scripted([[ask('c1', question)]]);
  const { messages } = pendingOf(await loop.run(MESSAGES));
  const refused = loop.continue({ messages, toolCallId: 'c1', userInput: userInput as never });
  await expect(refused).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining(says),
  });
  expect(model.doGenerateCalls).toHaveLength(1);
  await loop.continue({ messages, toolCallId: 'c1', userInput: { declined: true } });
  expect(model.doGenerateCalls).toHaveLength(2);
});

test.each([
  ['a form', { type: 'form', message: 'Q', schema: form }, { answer: { day: 'Mon', seats: 2 } }],
  ['a choice', { type: 'choice', message: 'Q', choices: ['a', 'b'] }, 'b'],
])('%s that fits is taken', async (_what, question, userInput) => {
  const { loop } = scripted([[ask('c1', question)]]);
  const { messages } = pendingOf(await loop.run(MESSAGES));
  expect(await loop.continue({ messages, toolCallId: 'c1', userInput })).toMatchObject({ text: 'Done.' });
});
