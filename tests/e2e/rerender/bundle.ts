import { startLit } from '../../../fixtures/rerender/lit.ts';
import { startReact } from '../../../fixtures/rerender/react.ts';
import { SECOND } from '../../../fixtures/rerender/second.ts';
import { SCENARIOS, type Scenario } from '../../../fixtures/rerender/scenarios.ts';
import type { App } from '../../../fixtures/rerender/view.ts';
import { startVue } from '../../../fixtures/rerender/vue.ts';
import { FilledFields } from '../../../extension/page/act/filled-fields.ts';
import { locateRef } from '../../../extension/page/locate/locate.ts';
import { LentNumbers, Refs } from '../../../extension/page/refs.ts';
import { ReadSession } from '../../../extension/page/session.ts';
import { failureOf } from '../../../extension/page/page-error.ts';
import { ShownSnapshots } from '../../../extension/page/write/snapshot-memory.ts';
import { LAB } from '../../support/page-lab/lab-name.ts';

const FRAMEWORKS: Readonly<Record<string, (root: HTMLElement) => App>> = {
  react: startReact,
  vue: startVue,
  lit: startLit,
};

const SETS = { tuned: SCENARIOS, second: SECOND } as const;

/** What became of one ref. */
export interface Outcome {
  readonly scenario: string;
  readonly truth: string;
  /** `found` and `wrong` are elements; `refused` is an error for one that is there, `gone` for one that is not. */
  readonly outcome: 'found' | 'wrong' | 'refused' | 'gone' | 'ambiguous';
  /** The very element, or one that is another now. */
  readonly isSameElement: boolean;
  readonly note: string;
}

const VIEWER = 'reader';
let next = 1;

function lent(): LentNumbers {
  const from = next;
  next += 100_000;
  return new LentNumbers({ viewer: VIEWER, numbers: { from, to: from + 99_999 } });
}

function* truths(root: ParentNode): Generator<Element> {
  for (const el of root.querySelectorAll('*')) {
    if (el.hasAttribute('data-truth')) yield el;
    if (el.shadowRoot !== null) yield* truths(el.shadowRoot);
  }
}

const truthOf = (el: Element): string => el.getAttribute('data-truth') ?? '';

/** Shows the page as it is to the reader, and answers the ref of each control. */
function read(refs: Refs): Map<string, string> {
  const options = {
    format: 'snapshot',
    selector: null,
    main_content_only: false,
    include_links: false,
    include_hidden: false,
  } as const;
  const context = {
    refPrefix: '',
    linePrefix: '',
    isTop: true,
    follows: false,
    bufferBytes: 1 << 26,
    budget: null,
    isCompared: false,
    isOpen: false,
  };
  const session = new ReadSession(options, context, {
    refs,
    lent: lent(),
    unrest: null,
    shown: new ShownSnapshots(),
    filled: new FilledFields(),
  });
  refs.use(lent());
  const shown = new Map([...truths(document)].map((el) => [truthOf(el), refs.of(el)]));
  while (session.next().done === null);
  return shown;
}

function check(
  refs: Refs,
  [truth, ref]: readonly [string, string],
  { name, ambiguous }: Scenario,
  before: Element | undefined,
): Outcome {
  const isThere = [...truths(document)].some((el) => truthOf(el) === truth);
  const shared = { scenario: name, truth };
  try {
    const { el, note } = locateRef(ref, { refs, viewer: VIEWER });
    const outcome = truthOf(el) === truth ? 'found' : 'wrong';
    return { ...shared, outcome, isSameElement: el === before, note: note ?? '' };
  } catch (thrown) {
    const { code, message } = failureOf(thrown);
    const outcome = ambiguous.includes(truth) ? 'ambiguous' : isThere ? 'refused' : 'gone';
    return { ...shared, outcome, isSameElement: false, note: `${code}: ${message}` };
  }
}

const functions = {
  /** Every control of every scenario of a set, as one framework renders it. */
  async run(framework: string, set: keyof typeof SETS): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const scenario of SETS[set]) {
      document.body.replaceChildren();
      const root = document.createElement('div');
      document.body.append(root);
      const app = FRAMEWORKS[framework]?.(root);
      if (app === undefined) throw new Error(`There is no framework ${framework}.`);
      await app.show(scenario.before);
      const refs = new Refs();
      const shown = read(refs);
      const before = new Map([...truths(document)].map((el) => [truthOf(el), el]));
      await app.show(scenario.after);
      // Candidates would count as shown: a later ref could then name what it shows now.
      refs.use(null);
      for (const entry of shown) outcomes.push(check(refs, entry, scenario, before.get(entry[0])));
      app.end();
    }
    return outcomes;
  },
};

export type RerenderFunctions = typeof functions;

Reflect.set(globalThis, LAB, functions);
