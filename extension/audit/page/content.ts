import axe from 'axe-core';
import { cut } from '../../../shared/base/cut.ts';
import { isObject } from '../../../shared/base/json.ts';
import { Queue } from '../../../shared/base/queue.ts';
import { isFrameElement, isShadowRoot } from '../../dom/elements.ts';
import { treesIn, type Scope, type Tree } from '../../dom/trees.ts';
import {
  connectWorker,
  type Answering,
  answerRequests,
  assertReadable,
  PageError,
} from '../../dom/doorway.ts';
import { markFrame } from '../../dom/frames.ts';
import { LentNumbers, NumberedElements } from '../../dom/refs.ts';
import { residentPage } from '../../core/page/resident.ts';
import { isTooDeep } from '../../dom/select.ts';
import { describeFinding } from './finding.ts';
import { axeRules, isSlow, Pace } from './pace.ts';
import { AUDIT_PORT, type AuditScope, type FromAudit, type ToAudit } from './protocol.ts';

type Asked<Type extends ToAudit['type']> = Extract<ToAudit, { readonly type: Type }>;
type AuditMessage<Type extends FromAudit['type']> = Extract<FromAudit, { readonly type: Type }>;

/** The elements of findings. A number takes the place of axe-core's selectors, which cost most of its time. */
const numbered = new NumberedElements();
/** Rules beyond WCAG compare the places of elements. */
let needsAncestry = false;

// Otherwise any message of the page could start a run.
axe.frameMessenger({ open: () => () => undefined, post: () => false });
axe.configure({ noHtml: true });
axe.utils.nodeSerializer.update({
  toSpec: (dq: axe.DqElement): axe.SerialDqElement => ({
    source: '',
    nodeIndexes: dq.nodeIndexes,
    selector: [String(numbered.numberOf(dq.element))],
    xpath: [],
    ancestry: needsAncestry ? dq.ancestry : [],
  }),
  mergeSpecs: axe.utils.DqElement.mergeSpecs,
});

const pace = new Pace(axeRules());

/** Without `preload`, which fetches style sheets of other sites. */
const optionsFor = ({ runOnly: { type, values } }: Pick<Asked<'run'>, 'runOnly'>): axe.RunOptions => ({
  runOnly: { type, values: [...values] },
  preload: false,
  reporter: 'v1',
  resultTypes: ['violations', 'incomplete'],
});

const isContext = (value: unknown): value is axe.ContextObject => isObject(value);
const isPartial = (value: unknown): value is axe.PartialResult =>
  isObject(value) && Array.isArray(value['results']);

interface AuditPart {
  readonly context: axe.ElementContext;
  readonly trees: readonly (Document | Element)[];
}

/** @throws PageError `selector_invalid`, `selector_not_found`, `stale_ref`, `invalid_argument` */
function resolveScope(scope: AuditScope | null): AuditPart {
  if (scope === null) return { context: document, trees: [document] };
  if ('context' in scope) {
    const context: unknown = JSON.parse(scope.context);
    return { context: isContext(context) ? context : document, trees: [document] };
  }
  const include = 'ref' in scope ? [elementOf(scope)] : select(scope.selector);
  return { context: { include }, trees: include };
}

function elementOf({ ref, viewer }: Extract<AuditScope, { readonly ref: string }>): Element {
  const el = residentPage().element(ref, viewer);
  if (el === null)
    throw new PageError('stale_ref', `${document.URL} no longer has the element of ref ${ref}.`);
  if (isReachable(el)) return el;
  throw new PageError(
    'invalid_argument',
    `scope: axe-core cannot begin at ref ${ref}, in a closed shadow root or an inner document.`,
  );
}

function isReachable(el: Element): boolean {
  const root = el.getRootNode();
  if (root === document) return true;
  return isShadowRoot(root) && root.host.shadowRoot === root && isReachable(root.host);
}

function select(selector: string): Element[] {
  let found: Element[];
  if (isTooDeep(selector))
    throw new PageError('selector_invalid', `scope: ${cut(selector, 80)} is nested too deep.`);
  try {
    found = [...document.querySelectorAll(selector)];
  } catch {
    throw new PageError('selector_invalid', `scope: ${selector} is not a valid CSS selector.`);
  }
  if (found.length > 0) return found;
  throw new PageError('selector_not_found', `Nothing in ${document.URL} matches ${selector}.`);
}

/** @throws PageError `invalid_argument` */
function assertRules({ type, values }: Asked<'run'>['runOnly']): void {
  if (type !== 'rule') return;
  const known = new Set(axe.getRules().map(({ ruleId }) => ruleId));
  const unknown = values.find((rule) => !known.has(rule));
  if (unknown !== undefined)
    throw new PageError('invalid_argument', `rules: axe-core has no rule ${unknown}.`);
}

async function run(message: Asked<'run'>, isWanted: () => boolean): Promise<AuditMessage<'ran'>> {
  assertReadable();
  assertRules(message.runOnly);
  const { refs } = residentPage();
  const { context, trees } = resolveScope(message.scope);
  const options = optionsFor(message);
  const inner = axe.utils.getFrameContexts(context, options).map(({ frameSelector, frameContext }) => ({
    el: axe.utils.shadowSelect(frameSelector),
    context: JSON.stringify(frameContext),
  }));
  const { type, values } = message.runOnly;
  needsAncestry = type === 'rule' || values.includes('best-practice');
  pace.start(message.budgetMs, isWanted);
  const partial = await axe.runPartial(context, options);
  const failed = partial.results.filter((result) => 'error' in result).map(({ id }) => id);
  const frames = inner.map(({ el, context: within }, at) => ({
    mark: el !== null && isFrameElement(el) ? markFrame(el, refs) : null,
    context: within,
    place: String(partial.frames[at]?.selector),
  }));
  const closedRoots = trees.reduce((sum, tree) => sum + closedRootsIn(tree), 0);
  const unfinished = [...pace.skipped, ...failed];
  return { type: 'ran', id: message.id, partial: JSON.stringify(partial), frames, closedRoots, unfinished };
}

/** Axe-core sees open roots only. */
function closedRootsIn(scope: Scope | Tree): number {
  let closed = 0;
  for (const [el, root] of treesIn(scope))
    if (isShadowRoot(root)) closed += el.shadowRoot === null ? 1 : closedRootsIn(root);
  return closed;
}

async function finish(message: Asked<'finish'>): Promise<AuditMessage<'finished'>> {
  const isFinished = ({ id }: axe.Result): boolean => !message.unfinished.includes(id);
  const partials = message.partials.map((text) => {
    const partial: unknown = text === null ? null : JSON.parse(text);
    return isPartial(partial) ? partial : null;
  });
  const { violations, incomplete, passes } = await axe.finishRun(partials, optionsFor(message));
  // Other rules compare elements: what they find among a part of them may be wrong.
  const sure = violations.filter((found) => isFinished(found) || isSlow(found.id));
  const findings = sure.flatMap(({ id: rule, tags, help, nodes }) =>
    nodes.map(({ impact, failureSummary = '', target }) => ({
      rule,
      impact: impact ?? 'minor',
      tags,
      message: help,
      summary: failureSummary,
      element: Number(target.at(-1)),
      frame: target.slice(0, -1).join(),
    })),
  );
  const undecided = incomplete.reduce((sum, { nodes }) => sum + nodes.length, 0);
  return { type: 'finished', id: message.id, findings, undecided, passed: passes.filter(isFinished).length };
}

function show({ id, elements: numbers, prefix, showing }: Asked<'show'>): AuditMessage<'shown'> {
  const { refs } = residentPage();
  const lent = new LentNumbers(showing);
  refs.use(lent);
  refs.prefix = prefix;
  const elements = numbers.map((number) => {
    const el = numbered.find(number);
    if (el === null || lent.isLow) return null;
    const finding = describeFinding(el);
    return { ref: refs.of(el, finding.role), ...finding };
  });
  return { type: 'shown', id, elements, last: lent.last };
}

/** Axe-core refuses a run during another. */
const turns = new Queue(1);

/** Answers the worker's requests about this document on one port. */
function serve(post: (message: FromAudit) => void): Answering<ToAudit> {
  const wanted = new Set<number>();
  const handle = (message: ToAudit): void | Promise<void> => {
    switch (message.type) {
      case 'run':
        wanted.add(message.id);
        return turns.add(() => run(message, () => wanted.has(message.id))).then(post);
      case 'finish':
        return turns.add(() => finish(message)).then(post);
      case 'show':
        return post(show(message));
      case 'cancel':
        wanted.delete(message.id);
    }
  };
  return { handle, forget: () => undefined, close: () => wanted.clear() };
}

answerRequests(connectWorker<ToAudit>(AUDIT_PORT), serve);
