import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import { createProfile, launcherOf } from '../../support/browser.ts';
import { spawnBrowser, type SpawnedBrowser } from '../worker/browser.ts';
import { CaptureRig } from '../worker/capture-rig.ts';
import { failure } from '../worker/failure.ts';
import type { TestHost } from '../worker/test-host.ts';
import { ApprovalRig, APPROVE_URL } from './rig.ts';
import { buy, Shop, type BuyOptions } from './shop.ts';

/* Other servers at the browser, and other browsers at the home, try to use what was asked by one of them. */

const TITLE = 'Act for you on this page?';
const RELAY = resolve(import.meta.dirname, '../worker/relay.mjs');
const KEY = 'c0ffee'.padEnd(64, '0');
const GUESSED = 'f'.repeat(64);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const caller = { session: 's9', name: 'claude-code' };

let rig: ApprovalRig;
let shop: Shop;
let tabId: number;
beforeAll(async () => {
  shop = await Shop.open();
  rig = await ApprovalRig.start();
});
afterAll(async () => {
  await rig.close();
  await shop.close();
});
beforeEach(async () => {
  shop.sent.length = 0;
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
const keep = (id: string, key: string, channel = 1) =>
  rig.port.call('question.keep', { id, key_hash: sha256(key) }, channel);
/** A question of the first server, which is kept with a key. */
async function kept(): Promise<string> {
  const id = await asked(act());
  expect(await keep(id, KEY)).toEqual({ kept: true });
  return id;
}
const adopt = (id: string, key: string, as = caller): Promise<{ adopted: boolean }> =>
  rig.port.call('question.adopt', { id, key, caller: as }, 2);
const allow = async (): Promise<void> => rig.press(await rig.card(TITLE), '#allow');

describe('a sibling server', () => {
  it('gets nothing of a question that is not its own, whatever it calls', async () => {
    const id = await kept();
    const other = await asked(act({ callId: 'c2', hash: 'b' }));
    await keep(other, GUESSED);
    const tricks: readonly (readonly [string, Promise<unknown>, object])[] = [
      [
        'answers',
        rig.port.call('question.answer', { id, approve: true }, 2),
        { refused: 'no_such_question' },
      ],
      ['claims', rig.port.call('question.claim', { id }, 2), { state: 'shown' }],
      ['releases', rig.port.call('question.release', { id }, 2), { was_held: false }],
      ['waits', rig.port.call('question.wait', { id }, 2), { end: 'gone' }],
      ['ends', rig.port.call('question.cancel', { id }, 2), { was_open: false }],
      ['keeps with a key of its own', keep(id, GUESSED, 2), { kept: false }],
      ['adopts with the hash of its key', adopt(id, sha256(KEY)), { adopted: false }],
      ['adopts one that there is not', adopt('q_other', KEY), { adopted: false }],
      ['adopts with the key of another question', adopt(id, GUESSED), { adopted: false }],
    ];
    for (const [what, trick, answer] of tricks) expect(await trick, what).toMatchObject(answer);
    const { refused } = await rig.port.call('grants.list', {});
    expect(refused.map(({ reason }) => reason)).toContain('wrong_key');
    await asked(act({ channel: 2, session: 's9' }));
    expect([shop.bought, await grants()]).toEqual([0, 0]);
  });

  itDeep('that adopts a yes for an agent of another name has nothing of it', async () => {
    const id = await kept();
    await allow();
    await adopt(id, KEY, { session: 's9', name: 'codex' });
    await asked(act({ channel: 2, session: 's9', name: 'codex' }));
    expect(shop.bought).toBe(0);
  });

  it('that has the key continues what the first one asked, once, and the first one has nothing left', async () => {
    const id = await kept();
    await allow();
    expect(await adopt(id, KEY)).toEqual({ adopted: true });
    await asked(act());
    await asked(act({ channel: 2, session: 's9', hash: 'b' }));
    await asked(act({ channel: 2, session: 's8' }));
    expect(shop.bought).toBe(0);
    await act({ channel: 2, session: 's9' });
    expect(shop.bought).toBe(1);
    await asked(act({ channel: 2, session: 's9', callId: 'c2' }));
    expect(shop.bought).toBe(1);
  });
});

/** A browser of its own, which reaches a host that is the test. */
async function spawnAt({ host }: { readonly host: TestHost }): Promise<SpawnedBrowser> {
  const { folder, profile } = createProfile();
  const relay = `exec '${process.execPath}' '${RELAY}' '${host.socketPath}' "$@"`;
  writeFileSync(launcherOf(folder), `#!/bin/sh\n${relay}\n`, { mode: 0o700 });
  const browser = await spawnBrowser(profile);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return browser;
}

itDeep(
  'a second browser of the same person does not allow what the first one asks, although all of it is the same',
  async () => {
    const second = await CaptureRig.start('person', spawnAt);
    onTestFinished(() => second.close());
    const tab = await second.newTab();
    await second.visit(tab, `${shop.origin}/`, 'Shop /');
    const id = await asked(act());
    await asked(buy(second.port, tab));
    expect(await second.port.call('question.wait', { id })).toMatchObject({ decision: null, end: 'gone' });
    const pages = () => second.browser.devtools.contexts().flatMap((context) => context.pages());
    await expect.poll(() => pages().some((page) => page.url() === APPROVE_URL)).toBe(true);
    await pages()
      .find((page) => page.url() === APPROVE_URL)
      ?.click('#allow[aria-disabled="false"]');
    await expect.poll(async () => (await second.port.call('grants.list', {})).grants.length).toBe(1);
    expect(await grants()).toBe(0);
    await asked(act());
    expect(shop.bought).toBe(0);
    // The same yes is good where it was said.
    await buy(second.port, tab);
    expect(shop.bought).toBe(1);
  },
);
