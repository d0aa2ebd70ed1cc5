import { PRIVATE_USE, isDocument, isShadowRoot, shadowRootOf } from '../dom.ts';

/** Which elements of one document or shadow tree may have text before or after their content. */
export interface GeneratedHosts {
  has(el: Element): boolean;
  /** The rules of a shadow tree give text to its host. */
  readonly isOnHost: boolean;
}

const PSEUDO = /::?(?:before|after)\b/i;
/** No style generates any text. */
export const NO_HOSTS: GeneratedHosts = { has: () => false, isOnHost: false };

/** The selectors of one style sheet whose rules generate text; null where its rules cannot be read. */
type Selectors = readonly string[] | null;

/** Sheets change seldom; one whose number of rules is the same is not looked through again. */
const knownSheets = new WeakMap<CSSStyleSheet, { readonly count: number; readonly selectors: Selectors }>();

/**
 * Asking every element for the computed style of its pseudo-elements is dear. So the rules are looked
 * through once for `::before` and `::after` with text, and only elements that these select are asked.
 * Where a sheet of another origin hides its rules, one element of each kind is asked.
 */
export function findGeneratedHosts(root: Document | ShadowRoot): GeneratedHosts {
  const all: string[] = [];
  for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
    const selectors = sheet.disabled ? [] : selectorsOf(sheet);
    if (selectors === null) return { has: createSampler(), isOnHost: true };
    all.push(...selectors);
  }
  if (all.length === 0) return NO_HOSTS;
  const hosts = new Set<Element>();
  for (const el of selectAll(root, all)) hosts.add(el);
  return { has: (el) => hosts.has(el), isOnHost: all.some((selector) => selector.includes(':host')) };
}

/** What was found a moment ago: names of many elements are computed one after another. */
const recent = new Map<Node, GeneratedHosts>();

/** Whether style may put text before or after the content of an element. */
export function mayGenerate(el: Element): boolean {
  if (el.localName === 'q' || recentHosts(el.getRootNode()).has(el)) return true;
  // To ask every element for a closed tree takes longer than the rest of its name.
  const shadow = el.localName.includes('-') ? shadowRootOf(el, true) : el.shadowRoot;
  return shadow !== null && recentHosts(shadow).isOnHost;
}

function recentHosts(root: Node): GeneratedHosts {
  let hosts = recent.get(root);
  if (hosts === undefined) {
    hosts = isDocument(root) || isShadowRoot(root) ? findGeneratedHosts(root) : NO_HOSTS;
    // Styles cannot change before this code has returned.
    if (recent.size === 0) queueMicrotask(() => recent.clear());
    recent.set(root, hosts);
  }
  return hosts;
}

function selectorsOf(sheet: CSSStyleSheet): Selectors {
  let rules: CSSRuleList;
  try {
    rules = sheet.cssRules;
  } catch {
    return null;
  }
  const before = knownSheets.get(sheet);
  if (before?.count === rules.length) return before.selectors;
  const found: string[] = [];
  const isReadable = collect(rules, '', found);
  const selectors = isReadable ? found : null;
  knownSheets.set(sheet, { count: rules.length, selectors });
  return selectors;
}

// By name, since a rule of another frame is not an instance of this one's classes.
const isStyleRule = (rule: CSSRule): rule is CSSStyleRule => 'selectorText' in rule;
const isImportRule = (rule: CSSRule): rule is CSSImportRule => 'styleSheet' in rule;
const isGroupingRule = (rule: CSSRule): rule is CSSGroupingRule => 'cssRules' in rule;

/** False when an imported sheet cannot be read. */
function collect(rules: CSSRuleList, parent: string, found: string[]): boolean {
  for (let i = 0; i < rules.length; i += 1) {
    const rule = rules.item(i);
    if (rule === null) continue;
    if (isStyleRule(rule)) {
      const selector = parent === '' ? rule.selectorText : nest(rule.selectorText, parent);
      if (PSEUDO.test(selector) && mayHaveText(rule.style.getPropertyValue('content')))
        found.push(...hostSelectors(selector));
      if (rule.cssRules.length > 0) collect(rule.cssRules, selector, found);
    } else if (isImportRule(rule)) {
      const selectors = rule.styleSheet === null ? [] : selectorsOf(rule.styleSheet);
      if (selectors === null) return false;
      found.push(...selectors);
    } else if (isGroupingRule(rule) && !collect(rule.cssRules, parent, found)) return false;
  }
  return true;
}

const nest = (selector: string, parent: string): string =>
  selector.includes('&') ? selector.replaceAll('&', `:is(${parent})`) : `:is(${parent}) ${selector}`;

/** Words, or what may become words; not the empty boxes and icons that most of these rules make. */
function mayHaveText(content: string): boolean {
  if (content === '' || content === 'none' || content === 'normal') return false;
  if (/attr\(|counters?\(|var\(|quote/.test(content)) return true;
  return /[^\s"']/.test(content.replace(/url\([^)]*\)/g, '').replace(PRIVATE_USE, ''));
}

/** The elements that a list of selectors puts text before or after. */
function hostSelectors(list: string): string[] {
  return splitSelectors(list)
    .filter((selector) => PSEUDO.test(selector))
    .map((selector) => selector.slice(0, PSEUDO.exec(selector)?.index).trim())
    .map((selector) => (selector === '' || /[>+~]$/.test(selector) ? `${selector} *` : selector));
}

/** Splits at commas that are in no bracket. */
function splitSelectors(list: string): string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const sign of list) {
    if (sign === '(' || sign === '[') depth += 1;
    else if (sign === ')' || sign === ']') depth -= 1;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts;
}

function* selectAll(root: ParentNode, selectors: readonly string[]): Generator<Element> {
  try {
    yield* root.querySelectorAll(selectors.join(','));
  } catch {
    if (selectors.length === 1) return;
    for (const selector of selectors) yield* selectAll(root, [selector]);
  }
}

/** Elements alike in name, classes, attributes, place and parent are taken to be styled alike. */
function createSampler(): (el: Element) => boolean {
  const answers = new Map<string, boolean>();
  let parent: Element | null = null;
  let kindOfParent = '';
  return (el) => {
    if (el.parentElement !== parent) {
      parent = el.parentElement;
      kindOfParent = parent === null ? '' : kindOf(parent);
    }
    const key = `${kindOf(el)}|${kindOfParent}`;
    let answer = answers.get(key);
    if (answer === undefined) {
      answer = ['::before', '::after'].some((pseudo) => mayHaveText(getComputedStyle(el, pseudo).content));
      answers.set(key, answer);
    }
    return answer;
  };
}

function kindOf(el: Element): string {
  const place = `${el.previousElementSibling === null ? 'f' : ''}${el.nextElementSibling === null ? 'l' : ''}`;
  if (!el.hasAttributes()) return el.localName + place;
  return `${el.localName}.${el.getAttribute('class') ?? ''}#${el.id}[${el.getAttributeNames().join()}]${place}`;
}
