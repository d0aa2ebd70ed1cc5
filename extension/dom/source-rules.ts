import { holds, valueIn } from './elements.ts';
import { splitSelectors } from './selectors.ts';

/** Names and values of style, lower case and without `!important`. */
export type Declarations = ReadonlyMap<string, string>;

/** How declarations are read and judged. */
interface Reading {
  readonly parse: (css: string) => Declarations;
  /** Whether a rule alone may hide an element, or the text in it. */
  readonly mayHide: (style: Declarations) => boolean;
}

interface Rule {
  readonly selectors: readonly string[];
  readonly style: CSSStyleDeclaration;
  readonly declarations: Declarations;
}

/** A longer sheet is not read: it would take as long as the page. */
const MAX_RULES = 3_000;
/** More elements in hidden ones are not judged. */
const MAX_ELEMENTS = 5_000;
/** A rule that hides more of a page is undone by its scripts. */
const MAX_SHARE = 0.5;
/** These come from the elements around. */
const INHERITED = ['visibility', 'font-size', 'text-indent', 'color'];
/** The page shows what moves in when it is scrolled to. */
const REVEALS = /^(?:transition|animation)/;

/**
 * Reads the rules in a parsed page's own style elements. Returns the declarations of each element that a rule may hide,
 * and of the elements in it. Rules that depend on the screen, such as its width, are left out.
 */
export function readRules(document: Document, { parse, mayHide }: Reading): Map<Element, Declarations> {
  const rules = [...document.querySelectorAll('style')].flatMap((own) => rulesIn(own, parse));
  const hiding = rules.filter(({ declarations }) => mayHide(declarations));
  if (hiding.length === 0 || rules.length > MAX_RULES) return new Map();
  const units = document.body?.textContent.length ?? 0;
  const judged = new Set<Element>();
  for (const { selectors, declarations } of hiding) {
    const found = selectors.flatMap((selector) => select(document, selector));
    if (hidesPage(document, found, units)) continue;
    const isInherited = INHERITED.some((name) => declarations.has(name));
    for (const el of found)
      for (const one of isInherited ? [el, ...el.querySelectorAll('*')] : [el])
        if (judged.size < MAX_ELEMENTS) judged.add(one);
  }
  return cascade(document, rules, judged);
}

const hidesPage = (document: Document, found: readonly Element[], units: number): boolean =>
  found.some((el) => holds(el, document.body)) ||
  found.reduce((sum, el) => sum + (el.textContent?.length ?? 0), 0) > units * MAX_SHARE;

function rulesIn(own: HTMLStyleElement, parse: Reading['parse']): Rule[] {
  if (/print|\(/.test(own.media) || own.closest('noscript,template') !== null) return [];
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(own.textContent);
  return flatten(sheet.cssRules, parse);
}

function flatten(rules: CSSRuleList, parse: Reading['parse']): Rule[] {
  return [...rules].flatMap((rule): Rule[] => {
    if (rule instanceof CSSStyleRule) {
      const { selectorText, style } = rule;
      return [{ selectors: splitSelectors(selectorText), style, declarations: parse(style.cssText) }];
    }
    const isApplied =
      rule instanceof CSSMediaRule
        ? !/print|\(/.test(rule.media.mediaText)
        : rule instanceof CSSSupportsRule
          ? CSS.supports(rule.conditionText)
          : rule instanceof CSSLayerBlockRule;
    return isApplied && 'cssRules' in rule && rule.cssRules instanceof CSSRuleList
      ? flatten(rule.cssRules, parse)
      : [];
  });
}

function select(document: Document, selector: string): Element[] {
  // The state of a page that nobody uses: no pointer is over anything.
  if (/:(?:hover|focus|active|visited|target|:)/.test(selector)) return [];
  try {
    return [...document.querySelectorAll(selector)];
  } catch {
    return [];
  }
}

function cascade(
  document: Document,
  rules: readonly Rule[],
  judged: ReadonlySet<Element>,
): Map<Element, Declarations> {
  const styles = new Map<Element, Map<string, string>>();
  if (judged.size === 0) return styles;
  const weights = new Map<Element, Map<string, number>>();
  for (const { selectors, style, declarations } of rules)
    for (const selector of selectors)
      for (const el of select(document, selector)) {
        if (!judged.has(el)) continue;
        const own = valueIn(styles, el, () => new Map<string, string>());
        const weighed = valueIn(weights, el, () => new Map<string, number>());
        for (const [name, value] of declarations) {
          const weight = specificity(selector) + (style.getPropertyPriority(name) === '' ? 0 : 1e9);
          if (weight < (weighed.get(name) ?? 0)) continue;
          own.set(name, value);
          weighed.set(name, weight);
        }
      }
  for (const own of styles.values())
    if ([...own.keys()].some((name) => REVEALS.test(name))) {
      own.delete('opacity');
      own.delete('transform');
    }
  return styles;
}

const count = (text: string, part: RegExp): number => text.match(part)?.length ?? 0;

/** As in CSS, without the parts that `:where` and the like leave out. */
function specificity(selector: string): number {
  const bare = selector.replace(/:where\([^)]*\)|"[^"]*"/g, '');
  const [ids, classes] = [count(bare, /#[\w-]/g), count(bare, /\.[\w-]|\[|(?<!:):(?!not|is|has|:)[\w-]/g)];
  return ids * 1e6 + classes * 1e3 + count(bare, /(?:^|[\s>+~(])[a-z]/gi) + 1;
}
