import { expect, it } from 'vitest';
import type { MatchedRule } from '../../../extension/platform/chromium/matched-styles.ts';
import { orderRules } from '../../../extension/inspect/worker/cascade.ts';

/** A rule that sets `color`; `!` marks an important value. */
const rule = (selector: string, value: string, more: Partial<MatchedRule> = {}): MatchedRule => {
  const isImportant = value.startsWith('!');
  const text = value.replace('!', '');
  const declarations = [{ text: `color: ${text}`, names: ['color'], value: text, isImportant }];
  const plain = {
    isForeign: false,
    isLayered: false,
    conditions: [],
    inherited: null,
    file: null,
    place: null,
  };
  return { ...plain, selector, declarations, ...more };
};
const OWN = { isForeign: true };
const PARENT = { inherited: 1 };
const LAYER = { isLayered: true };

it.each<[string, MatchedRule[], string[]]>([
  ['the later of two', [rule('a', 'red'), rule('b', 'blue')], ['a']],
  ['the important one', [rule('a', '!red'), rule('b', 'blue')], ['b']],
  ['the later important one', [rule('a', '!red'), rule('b', '!blue')], ['a']],
  ['nobody among important ones in layers', [rule('a', '!red', LAYER), rule('b', '!blue')], []],
  ['one without a layer', [rule('a', 'red', LAYER), rule('b', 'blue')], ['a']],
  ['a value of its own over an inherited one', [rule('a', '!red', PARENT), rule('b', 'blue')], ['a']],
  ["the browser's own over an inherited one", [rule('a', 'red', PARENT), rule('b', 'blue', OWN)], ['a']],
  ['nobody where its own value is inherited', [rule('a', 'red', PARENT), rule('b', 'inherit')], []],
  ['nobody where the own value goes back', [rule('a', 'red'), rule('b', 'revert-layer')], []],
])('overrides by %s', (_name, rules, overridden) => {
  const lost = orderRules(rules).filter((one) => one.overridden.length > 0);
  expect(lost.map(({ selector }) => selector)).toEqual(overridden);
});

it('shows the strongest first, and leaves out what is not inherited, and variables that nothing uses', () => {
  const set = (text: string): MatchedRule['declarations'][number] => {
    const [name = '', value = ''] = text.split(': ');
    return { text, names: [name], value, isImportant: false };
  };
  const declarations = ['margin: 1px', '--used: red', '--other: blue', 'font-size: 2px'].map(set);
  const parent = rule('body', 'red', { ...PARENT, declarations });
  const own = rule('a', 'var(--used)');
  expect(orderRules([parent, own]).map(({ selector, declares }) => [selector, declares])).toEqual([
    ['a', ['color: var(--used)']],
    ['body', ['--used: red', 'font-size: 2px']],
  ]);
});
