import { isDocument, isElement } from '../dom.ts';
import { parseCss, type Compound } from './css-parts.ts';
import type { SelectorPart } from './fault.ts';
import { Texts, matches } from './matcher.ts';
import { isShown } from './shown.ts';
import { elementsIn, parentAcross, type Scope } from './trees.ts';
import { childrenAcross } from './matcher.ts';

/**
 * `css=`: as CSS, and through shadow trees: the ancestors that a selector names may be outside of the tree of what it
 * finds. Takes `:has-text()`, `:text()`, `:text-is()` and `:visible` too.
 *
 * @throws PageError `selector_invalid`
 */
export function findCss(scope: Scope, part: SelectorPart): Element[] {
  const texts = new Texts();
  const found = new Set<Element>();
  for (const compounds of parseCss(part)) {
    const last = compounds.at(-1);
    if (last === undefined) continue;
    const path: Path = { compounds, scope, texts };
    const inDocument = isDocument(scope) ? plainMatches(compounds) : null;
    for (const el of elementsIn(scope, last.css)) {
      const root = el.getRootNode();
      const isMatch =
        inDocument !== null && isDocument(root)
          ? inDocument(root).has(el)
          : passes(el, last, path) && leadsTo(el, compounds.length - 1, path);
      if (isMatch) found.add(el);
    }
  }
  return [...found];
}

/**
 * What a selector names in a document by itself, for one that CSS has as a whole; else null. Of a selector that counts
 * siblings the browser counts them once for all elements.
 */
function plainMatches(compounds: readonly Compound[]): ((root: Document) => ReadonlySet<Element>) | null {
  if (compounds.some(({ isScope, tests }) => isScope || tests.length > 0)) return null;
  const css = compounds.map((compound) => `${compound.combinator}${compound.css}`).join('');
  const known = new Map<Document, ReadonlySet<Element>>();
  return (root) => {
    let found = known.get(root);
    if (found === undefined) known.set(root, (found = new Set(root.querySelectorAll(css))));
    return found;
  };
}

interface Path {
  readonly compounds: readonly Compound[];
  readonly scope: Scope;
  readonly texts: Texts;
}

function isCompound(el: Element, compound: Compound, path: Path): boolean {
  return (compound.isScope || el !== path.scope) && el.matches(compound.css) && passes(el, compound, path);
}

function passes(el: Element, { isScope, tests }: Compound, { scope, texts }: Path): boolean {
  if (isScope && el !== (isElement(scope) ? scope : el.ownerDocument.documentElement)) return false;
  return tests.every(({ kind, matcher }) => {
    if (kind === 'visible') return isShown(el);
    if (!matches(matcher, texts.of(el))) return false;
    if (kind === 'has-text') return true;
    return ![...childrenAcross(el)].some((child) => isElement(child) && matches(matcher, texts.of(child)));
  });
}

/** Whether the compounds before one name elements that are where the combinators say. */
function leadsTo(el: Element, index: number, path: Path): boolean {
  const before = path.compounds[index - 1];
  if (before === undefined) return true;
  const { combinator } = path.compounds[index] ?? {};
  const isSibling = combinator === '+' || combinator === '~';
  const next = (at: Element): Element | null => {
    if (isSibling) return at.previousElementSibling;
    return at === path.scope ? null : parentAcross(at);
  };
  for (let at = next(el); at !== null; at = next(at)) {
    if (isCompound(at, before, path) && leadsTo(at, index - 1, path)) return true;
    if (combinator === '>' || combinator === '+') return false;
  }
  return false;
}
