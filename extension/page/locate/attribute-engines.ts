import { referencesOf } from '../aria/name.ts';
import { isLabelable } from '../dom.ts';
import type { SelectorPart } from './fault.ts';
import { Texts, matches, parseMatcher, type TextMatcher } from './matcher.ts';
import { elementsIn, type Scope } from './trees.ts';

const LABELLED =
  'input:not([type="hidden" i]),textarea,select,button,meter,progress,output,[aria-label],[aria-labelledby]';

/**
 * `label=`: controls by what labels them: `aria-labelledby`, `aria-label`, or their `<label>`.
 *
 * @throws PageError `selector_invalid`
 */
export function findLabel(scope: Scope, part: SelectorPart): Element[] {
  const matcher = parseMatcher(part);
  const texts = new Texts();
  return elementsIn(scope, LABELLED).filter((el) =>
    labelsOf(el, texts).some((text) => matches(matcher, text)),
  );
}

function labelsOf(el: Element, texts: Texts): string[] {
  const references = el.hasAttribute('aria-labelledby') ? referencesOf(el, 'labelledby') : [];
  if (references.length > 0) return references.map((label) => texts.of(label));
  const given = el.getAttribute('aria-label') ?? '';
  if (given.trim() !== '') return [given];
  return isLabelable(el) ? [...(el.labels ?? [])].map((label) => texts.of(label)) : [];
}

/**
 * `placeholder=`.
 *
 * @throws PageError `selector_invalid`
 */
export function findPlaceholder(scope: Scope, part: SelectorPart): Element[] {
  return byAttribute(scope, 'placeholder', parseMatcher(part));
}

/**
 * `testid=`: the whole `data-testid`, or a pattern.
 *
 * @throws PageError `selector_invalid`
 */
export function findTestId(scope: Scope, part: SelectorPart): Element[] {
  const matcher = parseMatcher(part);
  const whole: TextMatcher = matcher.kind === 'contains' ? { kind: 'exact', text: part.body } : matcher;
  return byAttribute(scope, 'data-testid', whole);
}

const byAttribute = (scope: Scope, name: string, matcher: TextMatcher): Element[] =>
  elementsIn(scope, `[${name}]`).filter((el) => matches(matcher, el.getAttribute(name) ?? ''));
