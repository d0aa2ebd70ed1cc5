import type { Declaration, MatchedRule } from '../../platform/chromium/matched-styles.ts';
import type { StyleRule } from '../../../shared/inspect/inspect.methods.ts';

/** Properties that children take over, as far as authors set them. */
const INHERITED =
  /^(?:--.*|color|color-scheme|accent-color|caret-color|cursor|direction|fill|font(?:-.*)?|hyphens|letter-spacing|line-height|list-style(?:-.*)?|overflow-wrap|pointer-events|quotes|stroke|tab-size|text-(?:align|align-last|indent|shadow|transform|wrap.*)|visibility|white-space(?:-.*)?|word-(?:break|spacing)|writing-mode)$/;

interface Placed extends Declaration {
  readonly rule: MatchedRule;
}

/** Whether a declaration certainly replaces an earlier one of the same property. */
function replaces(later: Placed, earlier: Placed): boolean {
  if (later.rule.inherited !== earlier.rule.inherited) return !/^(?:inherit|unset|revert)/.test(later.value);
  if (later.isImportant !== earlier.isImportant) return later.isImportant;
  if (later.value.startsWith('revert')) return false;
  // Layers, and the browser's own rules, have the opposite order for important declarations.
  return !later.isImportant || ![later, earlier].some(({ rule }) => rule.isLayered || rule.isForeign);
}

/**
 * The rules of a page's authors, the strongest first, without what an element cannot inherit. Only a declaration that
 * another one certainly replaces counts as overridden.
 * @param rules the weakest first
 */
export function orderRules(rules: readonly MatchedRule[]): StyleRule[] {
  const placed = rules.flatMap((rule) => rule.declarations.map((one): Placed => ({ ...one, rule })));
  const byName = new Map<string, number[]>();
  for (const [at, { names }] of placed.entries())
    for (const name of names) byName.set(name, [...(byName.get(name) ?? []), at]);
  const isOverridden = (one: Placed, at: number): boolean =>
    one.names.every((name) =>
      byName.get(name)?.some((other) => {
        const by = placed[other] ?? one;
        if (other > at) return replaces(by, one);
        return other < at && by.isImportant && !one.isImportant && by.rule.inherited === one.rule.inherited;
      }),
    );
  const texts = rules.flatMap(({ declarations }) => declarations.map(({ text }) => text)).join('\n');
  const isTaken = ({ rule, names }: Placed): boolean =>
    rule.inherited === null ||
    names.some((name) => INHERITED.test(name) && (!name.startsWith('--') || texts.includes(`var(${name}`)));
  const shown = placed.flatMap((one, at) =>
    one.rule.isForeign || !isTaken(one) ? [] : [{ ...one, isLost: isOverridden(one, at) }],
  );
  return rules.toReversed().flatMap((rule): StyleRule[] => {
    const { selector, conditions, inherited, file, place } = rule;
    const own = shown.filter((one) => one.rule === rule);
    const textsOf = (isLost: boolean): string[] =>
      own.filter((one) => one.isLost === isLost).map(({ text }) => text);
    if (own.length === 0) return [];
    const facts = { selector, conditions: [...conditions], inherited, file, place };
    return [{ ...facts, declares: textsOf(false), overridden: textsOf(true) }];
  });
}
