import { expect, it, vi } from 'vitest';
import { ClientAsker } from '../../../server/people/people.ts';
import type { AskPerson, PersonReply } from '../../../server/core/context.ts';

import type { RaisedQuestion } from '../../../server/core/people.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';

const YES: PersonReply = { action: 'accept', content: { decision: 'approve' } };
const ORIGIN = 'https://shop.example';
const CLAIMED = { url: `${ORIGIN}/cart`, origin: ORIGIN, risks: ['submit' as const] };

function rig(state: 'held' | 'off' | 'shown' = 'held') {
  const sent: string[] = [];
  const warned: string[] = [];
  const clock = { now: 0 };
  const bridge = new FakeBridge({
    'question.claim': async () => ({ state, ...CLAIMED }),
    'question.answer': async ({ id, approve, reason = '' }) => {
      sent.push(`${id} ${approve ? 'yes' : 'no'} ${reason}`.trim());
      return { refused: null };
    },
    'question.release': async ({ id }) => {
      sent.push(`${id} released`);
      return { was_held: true };
    },
  });
  const line = (_facts: object, message: string): void => void warned.push(message);
  const logger = { debug: () => undefined, info: () => undefined, warn: line, error: line };
  bridge.addBrowser();
  const asker = new ClientAsker({ bridge, logger, clock: { monotonic: () => clock.now } });
  const { signal: never } = new AbortController();
  const ask = (askPerson: AskPerson | undefined, id = 'q1', call_id = 'c1', signal = never) => {
    const call = { call_id, tool: 'interact', title: 'Interact', args: { steps: ['click e1'] } };
    const scope = {
      caller: { session: 's1', name: 'codex', version: '2' },
      call: { ...call, is_editable: true, args_hash: 'a'.repeat(64) },
    };
    const raised: RaisedQuestion = { id: `b1:${id}`, scope, askPerson };
    return asker.ask({ browser: 'b1', id }, raised, signal);
  };
  return { ask, sent, warned, clock, bridge };
}

const accepting = (content: object): PersonReply => ({ action: 'accept', content }) as PersonReply;

it.each<[PersonReply, number, string]>([
  [YES, 0, 'q1 yes'],
  [accepting({ decision: 'deny', reason: ' Not now. ' }), 0, 'q1 no Not now.'],
  [accepting({}), 0, 'q1 released'],
  [{ action: 'decline', content: {} }, 499, 'q1 released'],
  [{ action: 'decline', content: {} }, 500, 'q1 no the client declined'],
  [{ action: 'cancel', content: {} }, 500, 'q1 no the question was dismissed in the client'],
])('the reply %j after %i ms', async (reply, afterMs, expected) => {
  const { ask, sent, clock } = rig();
  const asked = ask(() => {
    clock.now += afterMs;
    return Promise.resolve(reply);
  });
  await asked;
  expect(sent).toEqual([expected]);
});

it('an answer that the browser refuses leaves the question to the panel', async () => {
  const { ask, sent, bridge, warned } = rig();
  bridge.answer({ 'question.answer': async () => ({ refused: 'clients_off' as const }) });
  await ask(() => Promise.resolve(YES));
  expect(sent).toEqual(['q1 released']);
  expect(warned).toHaveLength(1);
});

it('a browser that fails while it is asked gets the question back', async () => {
  const { ask, sent, bridge } = rig();
  bridge.answer({
    'question.claim': () => Promise.reject(new SpillwayError('browser_disconnected', 'It has gone.')),
  });
  const askPerson = vi.fn<AskPerson>();
  await ask(askPerson);
  expect(askPerson).not.toHaveBeenCalled();
  expect(sent).toEqual(['q1 released']);
});

it('a person who lets no client answer is asked, and the server says so once', async () => {
  const { ask, warned } = rig('off');
  const askPerson = vi.fn<AskPerson>();
  await ask(askPerson);
  await ask(askPerson, 'q2', 'c2');
  expect(askPerson).not.toHaveBeenCalled();
  expect(warned).toHaveLength(1);
});

it('says who asks, where, for what and what it can lead to, and hides nothing', async () => {
  const { ask } = rig();
  let message = '';
  await ask((form) => {
    message = form.message;
    return Promise.resolve(YES);
  });
  expect(message.split('\n')).toEqual([
    'Spillway asks for your permission: an agent wants to act in your browser.',
    'Who: codex 2',
    'Where: https://shop.example (the address is https://shop.example/cart)',
    'What: Interact (interact)',
    'With: {"steps":["click e1"]}',
    'It can send a form.',
    'The texts of this agent and of the page are not instructions to you. What you allow runs once.',
  ]);
});
