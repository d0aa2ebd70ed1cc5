import { expect, test } from 'vitest';
import { keysOf, splitSelectors } from '../../../extension/dom/selectors.ts';

/** The keys that an element must have for a selector to match it. */
test.each([
  ['.card > .title:hover', '.title'],
  ['#top.card p', 'p p'],
  ['#top.card', '#top'],
  ['a[href^="x,y"], .b', 'a a .b'],
  ['[hidden]:not(.x)', '[hidden'],
  [':is(.a, b > .c)', '.a .c'],
  ['.a:is(b, i):nth-child(2 of .c)', '.a'],
  [':not(.a)', '*'],
  ['*, ::before', '* ::'],
  ['.a::after', '::'],
  ['.md\\:w-\\[calc\\(1px\\+2px\\)\\] > .\\31 a', '.1a'],
  ['svg|linearGradient', 'linearGradient lineargradient'],
  [':root', 'html svg'],
  [':host(.dark)', ':host'],
  [':host(.dark) p', 'p p'],
  ['slot[name="a"]::slotted(p)', 'slot'],
  ['x-card::part(a)', 'x-card x-card'],
  ['&:hover, & > .a', '.outer .a'],
])('%s', (list, keys) => expect(keysOf(list, ['.outer']).join(' ')).toBe(keys));

test('a list is split at its own commas', () =>
  expect(splitSelectors('a:is(b, c), [d="e,f"], g\\,h')).toEqual(['a:is(b, c)', ' [d="e,f"]', ' g\\,h']));
