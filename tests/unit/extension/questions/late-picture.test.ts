import { expect, it, vi } from 'vitest';
import type { ApproveState } from '../../../../extension/approve/protocol.ts';
import type { AskWindow } from '../../../../extension/background/questions/ask-window.ts';
import type { SidePanels } from '../../../../extension/background/questions/side-panels.ts';
import { ApprovePorts } from '../../../../extension/background/questions/approve-ports.ts';
import { need, questionsRig } from './rig.ts';
import { TakeoverDecisions } from '../../../../extension/background/takeover/decisions.ts';
import { takeoverRig } from '../takeover/takeover-rig.ts';

const URL = 'chrome-extension://spillway/approve/approve.html';
const kept = vi.hoisted(() => ({ stored: {} as Record<string, unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: {
    runtime: { id: 'spillway', getURL: (path: string) => `chrome-extension://spillway/${path}` },
    tabs: { get: () => Promise.resolve({ title: 'Shop', url: 'https://shop.example/cart' }) },
    storage: {
      session: {
        get: () => Promise.resolve(structuredClone(kept.stored)),
        set: (more: object) => Promise.resolve(void Object.assign(kept.stored, structuredClone(more))),
      },
    },
  },
}));

/** The page of the window, and the states that it is shown. */
function openWindow() {
  const states: ApproveState[] = [];
  const port = {
    sender: { id: 'spillway', url: URL, frameId: 0, tab: { id: 7, windowId: 3 } },
    onDisconnect: { addListener: () => undefined },
    onMessage: { addListener: () => undefined },
    postMessage: (state: ApproveState) => void states.push(state),
    disconnect: () => undefined,
  };
  return { port: port as never, states };
}

const WINDOW = { holds: () => true, stillHolds: () => Promise.resolve(true), known: () => Promise.resolve() };
const NO_PANELS = { holds: () => false, stillHolds: () => Promise.resolve(false) };

function portsOf(questions: ReturnType<typeof questionsRig>, picture: Promise<string | null>): ApprovePorts {
  const { takeovers } = takeoverRig();
  return new ApprovePorts({
    questions: questions.questions,
    window: WINDOW as unknown as AskWindow,
    takeovers,
    takeoverDecisions: new TakeoverDecisions({
      takeovers,
      questions: questions.questions,
      monotonicNow: () => questions.clock.now,
    }),
    panels: NO_PANELS as unknown as SidePanels,
    decisions: questions.decisions,
    monotonicNow: () => questions.clock.now,
    namesOf: () => Promise.resolve({}),
    pictureOf: () => () => picture,
  });
}

it('a picture that comes later neither delays the card nor makes its buttons rest', async () => {
  const rig = questionsRig();
  await rig.raise(need());
  let come: (picture: string) => void = () => undefined;
  const ports = portsOf(rig, new Promise((resolve) => (come = resolve)));
  const { port, states } = openWindow();
  ports.accept(port);
  await expect.poll(() => states.length).toBe(1);
  expect(states[0]?.question?.picture).toEqual({ data: null });
  come('data:image/webp;base64,AAAA');
  await expect.poll(() => states.length).toBe(2);
  expect(states[1]?.question?.picture).toEqual({ data: 'data:image/webp;base64,AAAA' });
  expect(states[1]?.token).toBe(states[0]?.token);
});

it('a picture is taken once, and found again by the next worker', async () => {
  const rig = questionsRig();
  const id = await rig.raise(need());
  kept.stored = { question_pictures: [[id, 'data:image/webp;base64,BBBB']] };
  const ports = portsOf(rig, Promise.resolve(null));
  const { port, states } = openWindow();
  ports.accept(port);
  await expect.poll(() => states.length).toBe(1);
  expect(states[0]?.question?.picture).toEqual({ data: 'data:image/webp;base64,BBBB' });
});
