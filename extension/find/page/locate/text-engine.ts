import { comparable, foldForms, readable } from '../../../../shared/base/comparable.ts';
import { transformText } from '../../../dom/generated-text.ts';
import { isDocument, isElement, isText, countBefore } from '../../../dom/elements.ts';
import {
  commonAncestor,
  parentAcross,
  shadowRootOf,
  type Scope,
  DocumentTrees,
  documentsIn,
  elementsIn,
} from '../../../dom/trees.ts';
import {
  faceOfInput,
  isUnsaid,
  type SelectorPart,
  Texts,
  childrenAcross,
  matches,
  parseMatcher,
  type TextMatcher,
} from './matcher.ts';
import { shownText } from '../../../dom/visible.ts';

const BLANKS = /[ \t\n\r\f\v\u00a0\u2000-\u200a\u2028\u2029\u202f\u3000]+/g;
const HAS_BLANKS = /[\t\n\r\f\v\u00a0\u2000-\u200a\u2028\u2029\u202f\u3000]| {2}/;
const NOT_PLAIN = /[^!-~ ]| {2}/;

interface RunsOptions {
  /** Folds a part that is not plain ASCII to lower case. */
  readonly fold: (text: string) => string;
  readonly isApart?: (el: Element) => boolean;
  readonly rootOf: (el: Element) => ShadowRoot | null;
  /** Elements whose positions are needed. */
  readonly placed?: ReadonlySet<Element>;
}

/**
 * The text of a scope and its shadow trees as one string, white space collapsed, with the owner of each part. One
 * search finds texts that span several elements.
 */
export class TextRuns {
  readonly text: string;
  readonly places = new Map<Element, readonly [number, number]>();
  readonly #starts: number[] = [];
  readonly #owners: Element[] = [];
  /** The texts themselves; null for the face of a button. */
  readonly #nodes: (Text | null)[] = [];
  readonly #pieces: string[] = [];
  readonly #options: RunsOptions;
  #length = 0;
  #endsBlank = true;
  #isApart = false;

  constructor(scope: Scope, options: RunsOptions) {
    this.#options = options;
    if (!isDocument(scope)) this.#enter(scope);
    else if (scope.documentElement !== null) this.#enter(scope.documentElement);
    // Plain ASCII parts are folded here, all at once: most of a page is ASCII.
    this.text = this.#pieces.join('').toLowerCase();
    this.#pieces.length = 0;
  }

  #enter(el: Element): void {
    if (isUnsaid(el)) return;
    const { isApart, rootOf, placed } = this.#options;
    const parts = isApart?.(el) === true;
    if (parts) this.#isApart = true;
    const from = this.#length;
    const face = faceOfInput(el);
    if (face !== null) this.#add(face, el, null);
    else this.#children(el, el);
    const root = rootOf(el);
    if (root !== null) this.#children(root, el);
    if (placed?.has(el) === true) this.places.set(el, [from, this.#length]);
    if (parts) this.#isApart = true;
  }

  #children(of: Element | ShadowRoot, owner: Element): void {
    for (let child = of.firstChild; child !== null; child = child.nextSibling) {
      if (isText(child)) this.#add(child.data, owner, child);
      else if (isElement(child)) this.#enter(child);
    }
  }

  #add(data: string, owner: Element, node: Text | null): void {
    const isPlain = !NOT_PLAIN.test(data);
    let text = isPlain ? data : this.#options.fold(data);
    if (!isPlain && HAS_BLANKS.test(text)) text = text.replace(BLANKS, ' ');
    if (this.#endsBlank && text.startsWith(' ')) text = text.slice(1);
    if (text === '') return;
    if (this.#isApart && !this.#endsBlank && !text.startsWith(' ')) text = ` ${text}`;
    this.#isApart = false;
    this.#endsBlank = text.endsWith(' ');
    this.#starts.push(this.#length);
    this.#owners.push(owner);
    this.#nodes.push(node);
    this.#pieces.push(text);
    this.#length += text.length;
  }

  /** The element whose text is at a position. */
  ownerAt(at: number): Element {
    const owner = this.#owners[this.#indexAt(at)];
    if (owner === undefined) throw new RangeError(`No text is at ${at}.`);
    return owner;
  }

  #indexAt(at: number): number {
    return countBefore(this.#starts.length, (index) => (this.#starts[index] ?? 0) <= at) - 1;
  }

  /** Whether a person sees all texts of a range, and all of the range in each that is cut off. */
  isShown(from: number, to: number): boolean {
    for (let index = this.#indexAt(from); index < this.#nodes.length; index += 1) {
      const start = this.#starts[index] ?? to;
      if (start >= to) break;
      const node = this.#nodes[index];
      if (node == null) continue;
      const shown = shownText(node);
      if (shown === node.data) continue;
      const end = this.#starts[index + 1] ?? this.#length;
      const part = this.text.slice(Math.max(from, start), Math.min(to, end));
      if (shown === '' || !this.#options.fold(shown).toLowerCase().replace(BLANKS, ' ').includes(part))
        return false;
    }
    return true;
  }
}

/**
 * `text=`: the smallest elements that contain a text, the scope itself included. A quoted text is compared with each
 * text run of an element; a pattern with an element's whole source text.
 * @throws PageError `selector_invalid`
 */
export function findText(scope: Scope, part: SelectorPart): Element[] {
  const matcher = parseMatcher(part);
  if (matcher.kind === 'contains') return findSaid(scope, matcher.text);
  const all = [...(isElement(scope) ? [scope] : []), ...elementsIn(scope)];
  if (matcher.kind === 'exact') {
    const runs = all.filter(
      (el) => [dataOf, shownText].every((say) => hasRun(el, matcher.text, say)) && !isInHead(el),
    );
    return runs.length > 0 ? runs : findMarked(scope, matcher.text);
  }
  return smallestByPattern(
    all.filter((el) => !isInHead(el)),
    matcher,
  );
}

/** The smallest elements that contain a text as a reader sees it, ignoring case. Text that nobody sees is not found. */
export function findSaid(scope: Scope, text: string): Element[] {
  const wanted = comparable(text);
  return [scope, ...documentsIn(scope)].flatMap((each) => smallest(each, wanted));
}

const MARKS = 'b,strong,i,em,mark,u,s,small,sub,sup,font,ins,del,span,wbr';
/** Displays whose text people read as words apart. */
const APART = /block|flex|grid|table/;

/** The elements whose whole text this is, though marks divide it: the typed part of a suggestion, for example. */
const findMarked = (scope: Scope, text: string): Element[] =>
  findSaid(scope, text).filter(
    (el) =>
      [...el.children].every(
        (child) => child.matches(MARKS) && !APART.test(getComputedStyle(child).display),
      ) && matches({ kind: 'exact', text }, new Texts(shownText).of(el)),
  );

const isInHead = (el: Element): boolean => isUnsaid(el) || el.closest('head') !== null;

/** The innermost elements that contain each occurrence of a text. */
function smallest(scope: Scope, wanted: string): Element[] {
  // A text of only invisible characters becomes empty, and would match everywhere.
  if (wanted === '') return [];
  const trees = isDocument(scope) ? new DocumentTrees(scope) : null;
  const options: RunsOptions = {
    fold: (text) => foldForms(text).toLowerCase(),
    rootOf: trees === null ? (el) => shadowRootOf(el, true) : (el) => trees.rootOf(el),
  };
  let found = holdersOf(wanted, new TextRuns(scope, options));
  // People read a space where a line breaks.
  if (found.size === 0 && wanted.includes(' '))
    found = holdersOf(wanted, new TextRuns(scope, { ...options, isApart: isBreak }));
  for (const el of found)
    for (let up = parentAcross(el); up !== null; up = parentAcross(up)) if (found.has(up)) found.delete(up);
  return [...found];
}

const isBreak = (el: Element): boolean => el.localName === 'br';

function holdersOf(wanted: string, runs: TextRuns): Set<Element> {
  const found = new Set<Element>();
  for (let at = runs.text.indexOf(wanted); at !== -1; at = runs.text.indexOf(wanted, at + 1))
    if (runs.isShown(at, at + wanted.length)) {
      const [first, last] = [runs.ownerAt(at), runs.ownerAt(at + wanted.length - 1)];
      found.add(commonAncestor(first, last, parentAcross) ?? first);
    }
  return found;
}

const dataOf = ({ data }: Text): string => data;

function hasRun(el: Element, wanted: string, say: (node: Text) => string): boolean {
  const face = faceOfInput(el);
  if (face !== null) return isRun(face, wanted, el);
  let run = '';
  // The runs before it, with only line breaks between them.
  let lines = '';
  const isFound = (): boolean => isRun(run, wanted, el) || (lines !== '' && isRun(lines + run, wanted, el));
  for (let child = el.firstChild; child !== null; child = child.nextSibling) {
    if (isText(child)) run += say(child);
    else if (isElement(child)) {
      if (isFound()) return true;
      lines = isBreak(child) ? `${lines}${run} ` : '';
      run = '';
    }
  }
  return isFound();
}

/** Whether it is this text, as the page has it or as its style shows it. */
function isRun(run: string, wanted: string, el: Element): boolean {
  // A shorter text cannot match: collapsing white space makes no text longer.
  if (run === '' || run.length < wanted.length) return false;
  const text = readable(run);
  if (text === wanted) return true;
  if (text.toLowerCase() !== wanted.toLowerCase()) return false;
  return transformText(text, getComputedStyle(el).textTransform, el) === wanted;
}

function smallestByPattern(all: readonly Element[], matcher: TextMatcher): Element[] {
  const [texts, shown] = [new Texts(), new Texts(shownText)];
  const found = new Set(all.filter((el) => [texts, shown].every((each) => matches(matcher, each.of(el)))));
  return [...found].filter(
    (el) => ![...childrenAcross(el)].some((child) => isElement(child) && found.has(child)),
  );
}
