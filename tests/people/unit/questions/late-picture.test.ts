import { beforeEach, expect, it, vi } from 'vitest';
import type { ApproveState } from '../../../../extension/people/protocol.ts';
import type { ShownElements } from '../../../../extension/core/ports/shown-element.ts';
import type { AskWindow, SidePanels } from '../../../../extension/people/worker/ask-window.ts';
import { ChosenFiles } from '../../../../extension/people/worker/chosen-files.ts';
import { ApprovePorts } from '../../../../extension/people/worker/approve-ports.ts';
import { need, questionsRig } from './rig.ts';
import { installBrowser } from '../../../support/browser-api.ts';
import { takeoverRig } from '../takeover/takeover-rig.ts';

const URL = 'chrome-extension://spillway/people/approve/approve.html';

beforeEach(() => {
  installBrowser({
    runtime: { id: 'spillway', getURL: (path: string) => `chrome-extension://spillway/${path}` },
    tabs: { get: () => Promise.resolve({ title: 'Shop', url: 'https://shop.example/cart' }) },
  });
});

function openWindow() {
  const states: ApproveState[] = [];
  const listeners: ((message: unknown) => void)[] = [];
  const port = {
    sender: { id: 'spillway', url: URL, frameId: 0, tab: { id: 7, windowId: 3 } },
    onDisconnect: { addListener: () => undefined },
    onMessage: { addListener: (listener: (message: unknown) => void) => void listeners.push(listener) },
    postMessage: (state: ApproveState) => void states.push(state),
    disconnect: () => undefined,
  };
  const send = (message: unknown): void => listeners.forEach((listen) => listen(message));
  return { port: port as never, states, send };
}

const WINDOW = { holds: () => true, stillHolds: () => Promise.resolve(true), known: () => Promise.resolve() };
const no = (): Promise<boolean> => Promise.resolve(false);
const NO_PANELS = { holds: () => false, stillHolds: no, isOpen: no };

function portsOf(
  questions: ReturnType<typeof questionsRig>,
  picture: (isAsked: boolean) => Promise<string | null | undefined>,
  elements: Promise<ShownElements> = Promise.resolve({}),
  debugging = { isCancelled: () => Promise.resolve(false), allow: () => Promise.resolve() },
): ApprovePorts {
  return new ApprovePorts({
    debugging,
    chosen: new ChosenFiles(),
    questions: questions.questions,
    window: WINDOW as unknown as AskWindow,
    takeovers: takeoverRig().takeovers,
    panels: NO_PANELS as unknown as SidePanels,
    decisions: questions.decisions,
    monotonicNow: () => questions.clock.now,
    atStake: () => Promise.resolve([]),
    elementsOf: () => elements,
    pictureOf: () => picture,
  });
}

it('nothing is decided before the page has said what its elements are, and buttons rest again then', async () => {
  const rig = questionsRig();
  const id = await rig.raise(need());
  let come: (elements: ShownElements) => void = () => undefined;
  const ports = portsOf(rig, () => Promise.resolve(null), new Promise((resolve) => (come = resolve)));
  const { port, states, send } = openWindow();
  ports.accept(port);
  await expect.poll(() => states.length).toBeGreaterThan(0);
  expect(states[0]?.question?.elements).toBe(null);
  send({ type: 'takeover', takeover: 't1', token: 't', act: 'done', answer: { log: 'a'.repeat(20_001) } });
  await expect.poll(() => states.at(-1)?.refused).toBe('malformed');
  rig.clock.now += 10_000;
  const yes = { type: 'decide', question: id, answer: { approve: true, scope: 'once' } };
  send({ ...yes, token: states[0]?.token });
  await expect.poll(() => states.at(-1)?.refused).toBe('too_early');
  const leads = { how: 'form', url: 'https://shop.example/pay' } as const;
  const elements = { e1: { line: 'button Pay', leads } };
  come(elements);
  await expect.poll(() => states.at(-1)?.question?.elements).toEqual(elements);
  rig.clock.now += 500;
  send({ ...yes, token: states.at(-1)?.token });
  const held = [{ elements, url: 'https://shop.example/cart' }];
  await expect.poll(() => rig.questions.grants.held()).toMatchObject(held);
});

it('a card without a picture ends its wait for one, also when it is shown again', async () => {
  const rig = questionsRig();
  await rig.raise(need());
  let come: (picture: string | null) => void = () => undefined;
  const ports = portsOf(rig, () => new Promise((resolve) => (come = resolve)));
  const { port, states } = openWindow();
  ports.accept(port);
  await expect.poll(() => states.at(-1)?.question?.picture).toEqual({ data: null });
  come(null);
  await expect.poll(() => states.at(-1)?.question?.picture).toBeNull();
  const token = states.at(-1)?.token;
  await ports.publish();
  expect(states.at(-1)).toMatchObject({ token, question: { picture: null, scope: 'once' } });
});

it('a card tries again to show a picture that did not come', async () => {
  const rig = questionsRig();
  await rig.raise(need());
  const take = vi.fn(() => Promise.resolve('data:')).mockRejectedValueOnce(new Error('It was not drawn.'));
  const { port, states } = openWindow();
  portsOf(rig, take).accept(port);
  await expect.poll(() => states.at(-1)?.question?.picture).toEqual({ data: 'data:' });
});

it('a card whose picture needs the debugger takes it only when the person asks for it', async () => {
  const rig = questionsRig();
  await rig.raise(need());
  const take = vi.fn((isAsked: boolean) => Promise.resolve(isAsked ? 'data:' : undefined));
  const { port, states, send } = openWindow();
  portsOf(rig, take).accept(port);
  await expect.poll(() => states.at(-1)?.question?.picture).toBe('on_request');
  send({ type: 'show_picture' });
  await expect.poll(() => states.at(-1)?.question?.picture).toEqual({ data: 'data:' });
  send({ type: 'show_picture' });
  expect(take.mock.calls).toEqual([[false], [true]]);
});

it.each([
  ['the window', true],
  ['a tab that decides nothing', false],
])('a card says that debugging was cancelled, and a click in %s undoes it: %s', async (_where, decides) => {
  const rig = questionsRig();
  await rig.raise(need());
  let isCancelled = true;
  const ports = portsOf(rig, () => Promise.resolve(null), undefined, {
    isCancelled: () => Promise.resolve(isCancelled),
    allow: () => Promise.resolve(void (isCancelled = false)),
  });
  WINDOW.stillHolds = () => Promise.resolve(decides);
  const { port, states, send } = openWindow();
  ports.accept(port);
  await expect.poll(() => states.at(-1)?.isDebuggingCancelled).toBe(true);
  send({ type: 'allow_debugging' });
  await Promise.resolve();
  await ports.publish();
  expect(states.at(-1)?.isDebuggingCancelled).toBe(!decides);
  expect(rig.questions.front).not.toBeNull();
});
