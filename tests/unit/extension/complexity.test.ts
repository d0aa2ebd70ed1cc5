import { expect, it } from 'vitest';
import { MOST_OPEN_ELEMENTS, isTooDeep } from '../../../extension/offscreen/parse.ts';

const many = (text: string, times = MOST_OPEN_ELEMENTS + 1): string => text.repeat(times);

it.each([
  ['as many as are allowed', many('<div>', MOST_OPEN_ELEMENTS)],
  ['siblings', many('<div><i>x</i></div>')],
  ['end tags that HTML leaves out', `<ul>${many('<li>a<p>b')}</ul><dl>${many('<dt>a<dd>b')}</dl>`],
  ['code', `<script>${many('"<div>"')}</script><style>${many('<b>')}</style>`],
  ['a comment that does not end', `<!-- ${many('<div>')}`],
  ['a script that does not end', `<script>${many('<div>')}`],
])('markup that is nested too deeply is not: %s', (_name, markup) =>
  expect(isTooDeep(markup, 'html')).toBe(false),
);
