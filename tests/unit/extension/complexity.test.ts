import { describe, expect, it } from 'vitest';
import { MOST_OPEN_ELEMENTS, isTooDeep } from '../../../extension/offscreen/complexity.ts';
import fc from '../../support/property.ts';

const MANY = MOST_OPEN_ELEMENTS + 1;
const many = (text: string, times = MANY): string => text.repeat(times);

describe('markup that is nested too deeply', () => {
  it.each([
    ['elements', many('<div>')],
    ['links around blocks', many('<a href=x><div>')],
    ['templates', many('<template>')],
    ['end tags of other elements', many('<div></p></span>')],
    ['in comments that end', many('<!-- > --><div>')],
  ])('%s', (_name, markup) => expect(isTooDeep(markup, 'html')).toBe(true));

  it.each([
    ['as many as are allowed', many('<div>', MOST_OPEN_ELEMENTS)],
    ['siblings', many('<div><i>x</i></div>')],
    ['end tags that HTML leaves out', `<ul>${many('<li>a<p>b')}</ul><dl>${many('<dt>a<dd>b')}</dl>`],
    ['void elements', many('<br><img src=x><input><meta><link>')],
    ['code', `<script>${many('"<div>"')}</script><style>${many('<b>')}</style>`],
    ['text', `<textarea>${many('<div>')}</textarea><title>${many('<div>')}</title>`],
    ['comments', many('<!-- <div><div> -->')],
    ['a comment that does not end', `<!-- ${many('<div>')}`],
    ['a script that does not end', `<script>${many('<div>')}`],
    ['a tag that does not end', `<div ${many('<div')}`],
  ])('is not: %s', (_name, markup) => expect(isTooDeep(markup, 'html')).toBe(false));

  it('counts each element of XML, which has no optional end tags', () => {
    expect(isTooDeep(many('<a>'), 'xml')).toBe(true);
    expect(isTooDeep(many('<a>x</a><b/>'), 'xml')).toBe(false);
  });

  it('is not a page whose elements are all closed', () => {
    const tree = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom('text', '<br>', '<!-- <div> -->'),
        fc
          .tuple(fc.constantFrom('div', 'p', 'table', 'b', 'x-a'), fc.array(tie('node'), { maxLength: 4 }))
          .map(([name, nodes]) => `<${name}>${nodes.join('')}</${name}>`),
      ),
    })).node;
    fc.assert(fc.property(tree, (markup) => !isTooDeep(markup.repeat(300), 'html')));
  });
});
