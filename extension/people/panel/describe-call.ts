import { isJsonList, isObject, type JsonObject, type JsonValue } from '../../../shared/base/json.ts';
import type { ShownQuestion } from '../protocol.ts';
import type { ShownElement } from '../../core/ports/shown-element.ts';
import { parseDialogStep } from '../../../shared/act/parse-step.ts';
import { THE_DIALOG } from '../../../shared/core/policy/names.ts';
import {
  describeDialog,
  describeElement,
  describeField,
  describeStep,
  describeTarget,
  type Words,
} from './describe-step.ts';
import { quote, type Quote, type Sentence } from '../../ui/words/sentence.ts';
import type { CardWords } from '../../ui/words/en/card.ts';

/** A text that is not empty, or null. */
const text = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** Maximum quotes in a sentence; more are one quote with a line for each. */
const MAX_QUOTES = 8;

type Tools = CardWords['tools'];

type Sentences = readonly Sentence[];
/** Only those that apply. */
type Maybe = readonly (Sentence | false)[];

function starts({ url, urls, sitemap }: JsonObject, tools: Tools, asked: string): Maybe {
  const others = textsIn(urls);
  const map = text(sitemap);
  const first = text(url) ?? (map === null ? (others[0] ?? asked) : null);
  const more = others.filter((one) => one !== first);
  return [
    first !== null && tools.crawl({ url: quote(first) }),
    map !== null && tools.crawlSitemap({ url: quote(map) }),
    more.length > 0 && tools.crawlMore({ urls: listOf(more) }),
  ];
}

function reach({ scope, include, exclude, respect_robots: obeys, ...most }: JsonObject, tools: Tools): Maybe {
  const { max_depth: depth, max_pages: pages } = most;
  const glob = text(scope);
  const [only, never] = [textsIn(include), textsIn(exclude)];
  return [
    glob === 'origin' && tools.crawlOrigin(),
    glob === 'host' && tools.crawlHost(),
    glob !== null && glob !== 'origin' && glob !== 'host' && tools.crawlLike({ globs: listOf([glob]) }),
    only.length > 0 && tools.crawlOnly({ globs: listOf(only) }),
    never.length > 0 && tools.crawlNever({ globs: listOf(never) }),
    obeys === false && tools.crawlAnyRobots(),
    typeof depth === 'number' && tools.crawlDepth({ count: depth }),
    typeof pages === 'number' && tools.crawlPages({ count: pages }),
  ];
}

const textsIn = (value: JsonValue | undefined): readonly string[] =>
  isJsonList(value) ? value.filter((one) => typeof one === 'string') : [];

const listOf = (texts: readonly string[]): Sentence =>
  texts.length > MAX_QUOTES
    ? [quote(texts.join('\n'))]
    : texts.flatMap((one, at) => (at === 0 ? [quote(one)] : [', ', quote(one)]));

/** A call in a card. */
type DescribedCall = Pick<ShownQuestion, 'tool' | 'title' | 'args' | 'url'> &
  Partial<Pick<ShownQuestion, 'elements' | 'tab' | 'origin' | 'chosen'>>;

type Describe = (args: JsonObject, strings: Words, call: DescribedCall) => Maybe;

const address = (args: JsonObject, { url }: DescribedCall): Quote => quote(text(args['url']) ?? url);

/** The text of the answered dialog, if it has any. */
function ofDialog({ elements }: DescribedCall, { tools }: CardWords): Sentences {
  const { line = '' } = elements?.[THE_DIALOG] ?? {};
  return line === '' ? [] : [tools.dialogSays({ text: quote(line) })];
}

const DESCRIBE: Readonly<Record<string, Describe>> = {
  interact: ({ fields, steps }, strings, call) => {
    const ofFields = Object.entries(isObject(fields) ? fields : {}).map(([label, value]) =>
      describeField(label, value, strings),
    );
    const ofSteps = (isJsonList(steps) ? steps : []).map((step, at) =>
      describeStep(step, { ...strings, isChosen: call.chosen?.includes(at) === true }),
    );
    const isAnswer = isJsonList(steps) && steps.some((step) => parseDialogStep(step) !== null);
    return [...ofFields, ...ofSteps, ...(isAnswer ? ofDialog(call, strings) : [])];
  },
  navigate: (args, { tools }, call) => {
    const { action, tab } = args;
    if (action === 'back' || action === 'forward' || action === 'reload') return [tools[action]()];
    const isNew = tab === undefined && call.tab === null;
    return [(isNew ? tools.gotoNewTab : tools.goto)({ url: address(args, call) })];
  },
  read_page: ({ selector }, { tools }) => {
    const part = text(selector);
    return [part === null ? tools.readPage() : tools.readPart({ part: quote(part) })];
  },
  find: ({ query }, { tools }) => [tools.find({ what: quote(text(query) ?? '…') })],
  screenshot: ({ area, selector, ref }, strings) => {
    const part = text(ref) ?? text(selector);
    if (part !== null) return [strings.tools.pictureOf({ part: describeTarget(part, strings) })];
    return [area === 'full_page' ? strings.tools.screenshotFull() : strings.tools.screenshot()];
  },
  network: ({ action, bodies }, { tools }) => {
    if (action !== 'start') return [tools.networkRead()];
    if (bodies === 'none') return [tools.networkWithout()];
    return [tools.networkStart(), bodies === 'all' && tools.networkFiles()];
  },
  console: (_args, { tools }) => [tools.console()],
  html_skeleton: (_args, { tools }) => [tools.skeleton()],
  emulate: ({ script, proxy, ...others }, { tools }) => {
    const asked = [
      typeof script === 'string' && tools.emulateScript({ script: quote(script) }),
      typeof proxy === 'string' && tools.emulateProxy({ proxy: quote(proxy) }),
    ];
    const isMore = Object.keys(others).some((name) => name !== 'tab' && name !== 'reset');
    return [(isMore || !asked.some(Boolean)) && tools.emulate(), ...asked];
  },
  trace: (_args, { tools }) => [tools.trace()],
  record_video: (_args, { tools }) => [tools.record()],
  storage: ({ action, area, name, value, file }, { tools }) => {
    if (action === 'export') return [tools.storageExport({ to: quote(text(file) ?? '…') })];
    if (action === 'import') return [tools.storageImport({ from: quote(text(file) ?? '…') })];
    if (action !== 'set' && action !== 'delete') return [tools.storageList()];
    const what = quote(`${text(area) ?? '…'}: ${text(name) ?? '*'}`);
    return [
      action === 'set'
        ? tools.storageSet({ what, value: quote(text(value) ?? '') })
        : tools.storageDelete({ what }),
    ];
  },
  clipboard: ({ action, text: given }, { tools }) => [
    action === 'write' ? tools.clipboardWrite({ given: quote(text(given) ?? '') }) : tools.clipboardRead(),
  ],
  intercept: ({ action, url, answer, headers, login, block }, { tools }) => {
    if (action !== 'add') return [tools.interceptRules()];
    const where = quote(text(url) ?? '…');
    if (isObject(login))
      return [tools.interceptLogin({ url: where, name: quote(text(login['username']) ?? '…') })];
    if (isObject(answer)) return [tools.interceptAnswer({ url: where })];
    if (isObject(headers)) return [tools.interceptHeaders({ url: where })];
    return [block === true ? tools.interceptBlock({ url: where }) : tools.interceptDelay({ url: where })];
  },
  downloads: ({ action, save_as: to }, { tools }) =>
    action === 'take'
      ? [text(to) === null ? tools.downloadTake() : tools.downloadSave({ to: quote(text(to) ?? '') })]
      : [tools.downloadList()],
  page_pdf: (_args, { tools }) => [tools.print()],
  extract_data: ({ run, schema, paginate, scroll }, { tools }) => {
    const crawl = text(run);
    const fields =
      isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
    const pages = isObject(paginate) ? paginate['max_pages'] : null;
    return [
      crawl === null ? tools.extract() : tools.extractRun({ run: quote(crawl) }),
      fields.length > 0 && tools.extractFields({ names: listOf(fields) }),
      scroll === 'to_end' && tools.extractScroll(),
      typeof pages === 'number' && tools.extractNext({ count: pages }),
    ];
  },
  fetch: (args, { tools }, call) => [tools.fetch({ url: address(args, call) })],
  crawl: (args, { tools }, { url }) => {
    const resumed = text(args['resume']);
    if (resumed !== null) return [tools.crawlAgain({ run: quote(resumed) })];
    return [...starts(args, tools, url), ...reach(args, tools)];
  },
  oc_evidence_bundle: ({ reload }, { tools }) => [reload === true && tools.reload(), tools.evidence()],
  dialog: ({ action, text: answer }, strings, call) => [
    describeDialog(action, text(answer), strings),
    ...ofDialog(call, strings),
  ],
  page_tools: (_args, { tools }) => [tools.pageTools()],
  page_tool_call: ({ name }, { tools }, { elements }) => {
    const called = text(name) ?? '…';
    const { line, schema } = (elements && Object.hasOwn(elements, called) && elements[called]) || {};
    return [
      tools.pageTool({ name: quote(called) }),
      line !== undefined && (line === '' ? tools.pageToolGone() : tools.pageToolSays({ text: quote(line) })),
      schema !== undefined && tools.pageToolTakes({ schema: quote(schema) }),
    ];
  },
  wait_for: (_args, { tools }) => [tools.waitFor()],
  tabs: (args, { tools }, call) => {
    const { action } = args;
    if (action === 'open') return [tools.tabOpen({ url: address(args, call) })];
    if (action === 'close') return [tools.tabClose()];
    if (action === 'history') return [tools.tabHistory({ words: quote(text(args['search']) ?? '…') })];
    if (action === 'borrow') {
      const reason = text(args['reason']);
      return [reason === null ? tools.tabBorrowNoReason() : tools.tabBorrow({ reason: quote(reason) })];
    }
    return [action === 'activate' ? tools.tabActivate() : tools.tabList()];
  },
  evaluate: (args, { tools }) => {
    const program = text(args['code']) ?? text(args['expression']) ?? text(args['script']);
    return [program === null ? tools.evaluateUnknown() : tools.evaluate({ script: quote(program) })];
  },
};

/**
 * Arguments that are in the words of the sentences, or that only bound a call or shape its answer. Null: all, for a tool
 * that only reads.
 */
const WORDED: Readonly<Record<string, readonly string[] | null>> = {
  ...Object.fromEntries(
    [
      ...[
        'audit',
        'console',
        'crawl',
        'extract_data',
        'find',
        'html_skeleton',
        'network',
        'oc_evidence_bundle',
      ],
      ...['page_pdf', 'page_tools', 'read_page', 'record_video', 'screenshot', 'trace', 'wait_for'],
    ].map((tool) => [tool, null]),
  ),
  fetch: ['as', 'max_bytes', 'pages'],
  interact: ['fields', 'steps', 'show'],
  navigate: ['wait_for', 'wait_until'],
  storage: ['area', 'name'],
};
const WORDED_OF_ALL: readonly string[] = ['tab', 'browser', 'action', 'timeout_ms'];

/** The arguments of a call that its sentences do not quote, by path. With them, a card shows all that it allows. */
export function restOf(
  tool: string,
  args: JsonObject,
  sentences: Sentences,
): readonly (readonly [name: string, text: string])[] {
  const worded = Object.hasOwn(WORDED, tool) ? WORDED[tool] : [];
  if (worded === null || worded === undefined) return [];
  const quotes = sentences.flat().map((part) => (typeof part === 'string' ? null : part.quote));
  const isShown = (value: JsonValue | undefined): boolean =>
    typeof value === 'string' && quotes.includes(value);
  return Object.entries(args)
    .filter(
      ([name, value]) => ![...WORDED_OF_ALL, ...worded].includes(name) && !isOff(value) && !isShown(value),
    )
    .flatMap(([name, value]) => leavesOf(name, value));
}

/** An option that is not used. */
const isOff = (value: JsonValue | undefined): boolean =>
  value === undefined || value === false || value === 0 || value === '';

/** Each value by its path; an empty list or object is one, too. */
function leavesOf(name: string, value: JsonValue | undefined): (readonly [name: string, text: string])[] {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (members.length > 0) return members.flatMap(([key, one]) => leavesOf(`${name}.${key}`, one));
  return [[name, typeof value === 'string' ? value : JSON.stringify(value ?? null)]];
}

/** Targets of elements that lead to another site, which the page's address does not show. */
function elsewhere({ elements, origin }: DescribedCall, strings: CardWords): Sentences {
  const { steps } = strings;
  const sentences = Object.values(elements ?? {}).flatMap((element) => {
    const { leads } = element;
    const to = leads === null ? null : originOf(leads);
    if (leads === null || to === origin || to === null) return [];
    return [
      (leads.how === 'form' ? steps.sendsTo : steps.leadsTo)({
        target: describeElement(element, strings),
        site: quote(to),
      }),
    ];
  });
  return [...new Map(sentences.map((sentence) => [JSON.stringify(sentence), sentence])).values()];
}

/** An address without a site is shown unchanged. */
function originOf({ url }: NonNullable<ShownElement['leads']>): string | null {
  const origin = URL.canParse(url) ? new URL(url).origin : 'null';
  if (origin !== 'null') return origin;
  return url === '' ? null : url;
}

/** One sentence per effect of a call. Never empty. */
export function describeCall(call: DescribedCall, strings: CardWords): Sentences {
  const { tool, title, args } = call;
  const general = strings.tools.other({ title: quote(title === '' ? tool : title) });
  if (args === null) return [general, strings.tools.unknownArgs()];
  const describe = Object.hasOwn(DESCRIBE, tool) ? DESCRIBE[tool] : undefined;
  const all = describe?.(args, { ...strings, elements: call.elements }, call) ?? [];
  const described = all.filter((one) => one !== false);
  return [...(described.length === 0 ? [general] : described), ...elsewhere(call, strings)];
}
