import { startLit } from '../../../fixtures/rerender/lit.ts';
import { startReact } from '../../../fixtures/rerender/react.ts';
import type { App } from '../../../fixtures/rerender/view.ts';
import { startVue } from '../../../fixtures/rerender/vue.ts';
import { locateRef } from '../../../extension/page/locate/locate.ts';
import { Refs } from '../../../extension/page/refs.ts';
import { failureOf } from '../../../extension/page/requests.ts';
import { LAB } from '../../support/page-lab/lab-name.ts';
import { HALF_A } from '../../../fixtures/rerender/third/half-a.ts';
import { HALF_B } from '../../../fixtures/rerender/third/half-b.ts';
import { startPlain } from '../../../fixtures/rerender/plain.ts';
import { startPreact } from '../../../fixtures/rerender/preact.ts';
import { read, VIEWER } from './reader.ts';
import { Truths } from './truths.ts';

const FRAMEWORKS: Readonly<Record<string, (root: HTMLElement) => App>> = {
  react: startReact,
  vue: startVue,
  lit: startLit,
  preact: startPreact,
  plain: startPlain,
};

const HALVES = { 'half a': HALF_A, 'half b': HALF_B } as const;

export interface Outcome {
  readonly scenario: string;
  readonly truth: string;
  /** `found` and `wrong` are elements; `refused` is an error for one that is there, `gone` for one that is not. */
  readonly outcome: 'found' | 'wrong' | 'refused' | 'gone' | 'ambiguous';
  /** The very element, or one that is another now. */
  readonly isSameElement: boolean;
  readonly note: string;
}

/** An empty page for one framework. */
function startApp(framework: string): App {
  document.body.replaceChildren();
  const root = document.createElement('div');
  document.body.append(root);
  const app = FRAMEWORKS[framework]?.(root);
  if (app === undefined) throw new Error(`There is no framework ${framework}.`);
  return app;
}

/** Shows the views of a page one after the other. What is what is hidden from Spillway while it reads and finds. */
async function runViews(framework: string, { name, views }: (typeof HALF_A)[number]): Promise<Outcome[]> {
  const app = startApp(framework);
  const [first, ...later] = views;
  if (first === undefined) throw new Error(`${name} has no views.`);
  await app.show(first);
  const before = new Truths(document);
  const refs = new Refs();
  const shown = read(refs, before.elements);
  let after = before;
  for (const view of later) {
    after.reveal();
    await app.show(view);
    after = new Truths(document);
  }
  refs.use(null);
  const outcomes = [...shown].map((entry) => ({ scenario: name, ...judge(refs, entry, { before, after }) }));
  app.end();
  return outcomes;
}

const functions = {
  /** Every control of every page of a set, as one framework renders it. */
  async run(framework: string, set: keyof typeof HALVES): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const page of HALVES[set]) outcomes.push(...(await runViews(framework, page)));
    return outcomes;
  },
};

function judge(
  refs: Refs,
  [truth, ref]: readonly [string, string],
  { before, after }: { readonly before: Truths; readonly after: Truths },
): Omit<Outcome, 'scenario'> {
  const isClear = before.isClear(truth, after);
  const isSameElement = after.elements.get(truth) === before.elements.get(truth);
  try {
    const { el, note } = locateRef(ref, { refs, viewer: VIEWER });
    const isRight = after.elements.get(truth) === el;
    return {
      truth,
      isSameElement,
      outcome: !isRight ? 'wrong' : isClear ? 'found' : 'ambiguous',
      note: note ?? '',
    };
  } catch (thrown) {
    const { code, message } = failureOf(thrown);
    const outcome = !after.elements.has(truth) ? 'gone' : isClear ? 'refused' : 'ambiguous';
    return { truth, isSameElement, outcome, note: `${code}: ${message}` };
  }
}

export type RerenderFunctions = typeof functions;

Reflect.set(globalThis, LAB, functions);
