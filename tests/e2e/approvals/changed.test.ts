import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sample } from '../../support/depth.ts';
import { PATIENCE } from '../../support/patience.ts';
import { failure } from '../worker/failure.ts';
import { ChangingShop } from './changing-shop.ts';
import { ApprovalRig } from './rig.ts';
import { buy } from './shop.ts';

/* A page that is changed after the yes: what the person read on the card is what runs, or nothing does. */

const TITLE = 'Act for you on this page?';
let rig: ApprovalRig;
let shop: ChangingShop;
let tabId: number;
beforeAll(async () => {
  shop = await ChangingShop.open();
  rig = await ApprovalRig.start();
});
afterAll(async () => {
  await rig.close();
  await shop.close();
});
beforeEach(async () => {
  shop.sent.length = 0;
  await rig.ask();
  tabId = await rig.capture.newTab();
});
afterEach(() => rig.port.call('tabs.close', { tab_id: tabId }));

/** The page of the tab, for its own scripts. */
const page = (): Promise<Page> =>
  vi.waitFor(() => {
    const pages = rig.capture.browser.devtools.contexts().flatMap((context) => context.pages());
    const found = pages.findLast((one) => one.url().startsWith(shop.origin));
    if (found === undefined) throw new Error('The shop is not open.');
    return found;
  }, PATIENCE);

interface Trick {
  readonly path?: string;
  readonly target?: string;
  /** What the page does after the yes. */
  readonly then: string;
  readonly first?: string;
  /** The act ends with this code, without a question. */
  readonly leaves?: string;
}

/** What an act ended with: the code of its error, or of the step that failed. */
const codeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    (result) => (result as { failed: { code: string } | null }).failed?.code ?? 'done',
    (thrown: { code: string }) => thrown.code,
  );

/** An act that a person has allowed, on a page of the shop. */
async function allowed({
  path = '/form',
  target = 'text=Buy',
  first = 'null',
}: Trick): Promise<() => Promise<unknown>> {
  await rig.capture.visit(tabId, shop.origin + path, `Shop ${path}`);
  await (await page()).evaluate(first);
  const act = (): Promise<unknown> => buy(rig.port, tabId, { target });
  const { code, message, question = '' } = await failure(act());
  expect(code, message).toBe('approval_required');
  const card = await rig.card(TITLE);
  await rig.press(card, '#allow');
  const { decision } = await rig.port.call('question.wait', { id: question });
  expect(decision).toMatchObject({ approve: true, scope: 'once' });
  expect(shop.sent).toEqual([]);
  return act;
}

const THIEF = 'globalThis.thief';
const on = (event: string, does: string): string =>
  `addEventListener('${event}', () => { ${does} }, { capture: true, once: true })`;
/** The same button, in a form that is sent to the thief. */
const TWIN = `document.body.insertAdjacentHTML('beforeend', '<form method=post action="' + ${THIEF} + '/buy"><button id=buy>Buy</button></form>')`;

const TRICKS: Readonly<Record<string, Trick>> = {
  'changes where its form is sent': { then: `form.action = ${THIEF} + '/buy'` },
  'changes the path of its form': { then: `form.action = '/buy-all'` },
  'gives its button a target of its own': { then: `buy.formAction = ${THIEF} + '/buy'` },
  'moves its button to another form': {
    then: `document.body.insertAdjacentHTML('beforeend', '<form id=other method=post action="' + ${THIEF} + '/buy"></form>'); buy.setAttribute('form', 'other')`,
  },
  'changes its base': {
    then: `document.head.insertAdjacentHTML('beforeend', '<base href="' + ${THIEF} + '/">')`,
  },
  'changes a form whose fields hide its methods': {
    path: '/clobbered',
    then: `form.setAttribute('action', ${THIEF} + '/buy')`,
  },
  'changes what its button says': { target: 'css=#buy', then: `buy.textContent = 'Buy all'` },
  'puts another form in the place of its own': { then: `form.remove(); ${TWIN}` },
  'puts another form in the place of its own, as React does': {
    then: `form.outerHTML = form.outerHTML.replace('/buy', ${THIEF} + '/buy')`,
  },
  'changes the form that a step sends without naming it': {
    target: '',
    then: `form.action = ${THIEF} + '/buy'`,
  },
  'gives itself another address': { then: `history.pushState(null, '', '/pay-all')` },
  'gives itself another query': { then: `history.replaceState(null, '', '?quantity=1000')` },
  'is written again': {
    then: `document.open(); document.write('<title>Shop</title>'); document.close(); ${TWIN}`,
  },
  'goes to a page of the same site': { then: `location.replace('/other')` },
  'goes to the same page of another site': { then: `location.replace(${THIEF} + '/form')` },
  'loads another form into its frame': {
    path: '/frame',
    leaves: 'selector_not_found',
    then: `new Promise((done) => { frame.onload = done; frame.src = ${THIEF} + '/form'; }).then(() => null)`,
  },
  'changes the form in its frame': {
    path: '/frame',
    then: `frame.contentDocument.forms[0].action = ${THIEF} + '/buy'`,
  },
  'replaces its shadow host': {
    path: '/shadow',
    then: `(() => { const next = document.createElement('div'); host.replaceWith(next); fill(next, ${THIEF} + '/buy'); })()`,
  },
  'lets its service worker answer': {
    path: '/sw/page',
    first: 'ready.then(() => null)',
    then: `location.reload()`,
  },
  'changes its form under the pointer': { then: on('mousemove', `form.action = ${THIEF} + '/buy'`) },
  'changes its form as the button goes down': { then: on('pointerdown', `form.action = ${THIEF} + '/buy'`) },
  'changes its button as the mouse goes down': {
    then: on('mousedown', `buy.formAction = ${THIEF} + '/buy'`),
  },
  'changes its form as the button goes up': { then: on('mouseup', `form.action = ${THIEF} + '/buy'`) },
  'swaps its form as the button goes down': { then: on('pointerdown', `form.remove(); ${TWIN}`) },
  'changes where its link leads': { path: '/link', then: `buy.href = '/view?item=all'` },
  'changes to which site its link leads': { path: '/link', then: `buy.href = ${THIEF} + '/view'` },
};

describe.each(sample(Object.entries(TRICKS), 3))('a page that %s after the yes', (_what, trick) => {
  it('gets nothing, and the person is asked again', async () => {
    const act = await allowed(trick);
    const shown = await page();
    await shown.evaluate(`${THIEF} = ${JSON.stringify(shop.thief)}`);
    await Promise.all([
      trick.then.startsWith('location') ? shown.waitForEvent('load') : null,
      shown.evaluate(`(async () => { await (${wrap(trick.then)}); })()`).catch(() => undefined),
    ]);
    const code = await codeOf(act());
    // A frame of another site than the card's is left out.
    expect(code).toBe(trick.leaves ?? 'approval_required');
    expect(shop.sent).toEqual([]);
    if (trick.leaves === undefined) await rig.card(TITLE);
  });
});
const wrap = (script: string): string =>
  script.includes(';') && !script.startsWith('(') && !script.startsWith('new ')
    ? `(() => { ${script} })()`
    : script;

/** The same paths without the change: each of them acts. */
describe.each<[string, Trick, string]>([
  ['a form', { then: 'null' }, '/buy'],
  ['a form whose fields hide its methods', { path: '/clobbered', then: 'null' }, '/buy'],
  ['a form that a step does not name', { target: '', then: 'null' }, '/buy'],
  ['an element by its selector', { target: 'css=#buy', then: 'null' }, '/buy'],
  ['a form in a frame', { path: '/frame', then: 'null' }, '/buy'],
  ['a form in a shadow tree', { path: '/shadow', then: 'null' }, '/buy'],
  ['a link', { path: '/link', then: 'null' }, '/view?item=1'],
  ['a page that changes elsewhere', { then: `document.querySelector('h1').textContent = 'Sale'` }, '/buy'],
  ['a page that goes to a part of itself', { then: `location.hash = 'form'` }, '/buy'],
  ['a page that renders its form again', { then: `form.outerHTML = form.outerHTML` }, '/buy'],
  ['a page that listens to the mouse', { then: on('mousedown', `document.title = 'Pressed'`) }, '/buy'],
])('%s after the yes', (_what, trick, path) => {
  it('acts once', async () => {
    const act = await allowed(trick);
    await (await page()).evaluate(trick.then);
    expect(await codeOf(act())).toBe('done');
    await vi.waitFor(() => expect(shop.sent).toEqual([path]), PATIENCE);
    expect(shop.sent).toEqual([path]);
  });
});
