import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MethodName } from '../../../shared/bridge/methods.ts';
import { failure } from '../worker/failure.ts';
import { ApprovalRig, APPROVE_URL } from './rig.ts';
import { buy, Shop, type BuyOptions } from './shop.ts';

/* Other servers at the browser, and other browsers at the home, try to use what was asked by one of them. */

const TITLE = 'Act for you on this page?';
const KEY = 'c0ffee'.padEnd(64, '0');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const caller = { session: 's9', name: 'claude-code' };

let rig: ApprovalRig;
let shop: Shop;
let tabId: number;
beforeAll(async () => {
  shop = await Shop.open(APPROVE_URL);
  rig = await ApprovalRig.start();
});
afterAll(async () => {
  await rig.close();
  await shop.close();
});
beforeEach(async () => {
  shop.bought = 0;
  await rig.ask();
  rig.port.open(2);
  tabId = await rig.capture.newTab();
  await rig.capture.visit(tabId, `${shop.origin}/`, 'Shop /');
});

// Each leaves a question, whose window may still be on its way.
afterEach(() => rig.card(TITLE));

const act = (more: BuyOptions = {}): Promise<unknown> => buy(rig.port, tabId, more);
const asked = async (call: Promise<unknown>): Promise<string> => {
  const { code, message, question = '' } = await failure(call);
  expect(code, message).toBe('approval_required');
  return question;
};
const grants = async (): Promise<number> => (await rig.port.call('grants.list', {})).grants.length;
const lastRefusal = async (): Promise<string | undefined> =>
  (await rig.port.call('grants.list', {})).refused.at(-1)?.reason;
/** A question of the first server, which is kept with a key. */
async function kept(): Promise<string> {
  const id = await asked(act());
  expect(await rig.port.call('question.keep', { id, key_hash: sha256(KEY) })).toEqual({ kept: true });
  return id;
}
const adopt = (id: string, key: string, as = caller): Promise<{ adopted: boolean }> =>
  rig.port.call('question.adopt', { id, key, caller: as }, 2);

describe('a sibling server', () => {
  it.each<[string, (id: string) => Promise<unknown>, unknown]>([
    [
      'answers a question',
      (id) => rig.port.call('question.answer', { id, approve: true }, 2),
      { refused: 'no_such_question' },
    ],
    ['claims a question', (id) => rig.port.call('question.claim', { id }, 2), { state: 'shown' }],
    ['releases a question', (id) => rig.port.call('question.release', { id }, 2), { was_held: false }],
    ['waits for a question', (id) => rig.port.call('question.wait', { id }, 2), { end: 'gone' }],
    ['ends a question', (id) => rig.port.call('question.cancel', { id }, 2), { was_open: false }],
    [
      'keeps a question with a key of its own',
      (id) => rig.port.call('question.keep', { id, key_hash: sha256('f'.repeat(64)) }, 2),
      { kept: false },
    ],
    ['adopts a question with a guessed key', (id) => adopt(id, 'f'.repeat(64)), { adopted: false }],
    ['adopts it with the hash of its key', (id) => adopt(id, sha256(KEY)), { adopted: false }],
    ['adopts a question that there is not', () => adopt('q_other', KEY), { adopted: false }],
  ])('that %s gets nothing', async (_what, trick, answer) => {
    const id = await kept();
    expect(await trick(id)).toMatchObject(answer as object);
    await asked(act({ channel: 2, session: 's9' }));
    expect([shop.bought, await grants()]).toEqual([0, 0]);
  });

  it('with the key of another question gets nothing, and that is noted', async () => {
    const id = await kept();
    const other = await asked(act({ callId: 'c2', hash: 'b' }));
    await rig.port.call('question.keep', { id: other, key_hash: sha256('e'.repeat(64)) });
    expect(await adopt(id, 'e'.repeat(64))).toEqual({ adopted: false });
    expect(await lastRefusal()).toBe('wrong_key');
    expect(shop.bought).toBe(0);
  });

  it.each<[string, object]>([
    ['decision', { question: 'q', approve: true }],
    ['decide', { question: 'q', answer: { approve: true, scope: 'always' } }],
    ['question.decide', { id: 'q', approve: true, scope: 'always' }],
    ['grants.add', { scope: 'always' }],
    ['policy.set', { rules: [] }],
    ['takeover.done', { id: 't' }],
    ['ledger.report', { reports: [] }],
    ['agents.control', { do: 'resume' }],
  ])('that calls %s is not understood', async (method, params) => {
    await asked(act());
    const { code } = await failure(rig.port.start(method as MethodName, params, 2).result);
    expect(code).toBe('api_not_found');
    expect([shop.bought, await grants()]).toEqual([0, 0]);
  });

  it.each<[string, BuyOptions]>([
    ['other arguments', { hash: 'b' }],
    ['another session', { session: 's8' }],
  ])('that has adopted a yes is asked about %s', async (_what, more) => {
    const id = await kept();
    await rig.press(await rig.card(TITLE), '#allow');
    expect(await adopt(id, KEY)).toEqual({ adopted: true });
    await asked(act({ channel: 2, session: 's9', ...more }));
    expect(shop.bought).toBe(0);
  });

  it('that adopts a yes for an agent of another name has nothing of it', async () => {
    const id = await kept();
    await rig.press(await rig.card(TITLE), '#allow');
    await adopt(id, KEY, { session: 's9', name: 'codex' });
    await asked(act({ channel: 2, session: 's9', name: 'codex' }));
    expect(shop.bought).toBe(0);
  });

  it('that has the key continues what the first one asked, once, and the first one has nothing left', async () => {
    const id = await kept();
    await rig.press(await rig.card(TITLE), '#allow');
    expect(await adopt(id, KEY)).toEqual({ adopted: true });
    await asked(act());
    await act({ channel: 2, session: 's9' });
    expect(shop.bought).toBe(1);
    await asked(act({ channel: 2, session: 's9', callId: 'c2' }));
    expect(shop.bought).toBe(1);
  });
});

describe('a second browser of the same person', () => {
  let second: ApprovalRig;
  beforeAll(async () => {
    second = await ApprovalRig.start();
  });
  afterAll(() => second.close());

  it('does not allow what the first one asks, although everything about it is the same', async () => {
    await second.ask();
    const tab = await second.capture.newTab();
    await second.capture.visit(tab, `${shop.origin}/`, 'Shop /');
    const id = await asked(act());
    await asked(buy(second.port, tab));
    expect(await second.port.call('question.wait', { id })).toMatchObject({ decision: null, end: 'gone' });
    await second.press(await second.card(TITLE), '#allow');
    await expect.poll(async () => (await second.port.call('grants.list', {})).grants.length).toBe(1);
    expect(await grants()).toBe(0);
    await asked(act());
    expect(shop.bought).toBe(0);
    // The same yes is good where it was said.
    await buy(second.port, tab);
    expect(shop.bought).toBe(1);
  });
});
