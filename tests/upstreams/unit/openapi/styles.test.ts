import { expect, it } from 'vitest';
import { encodeStrict, writePath, writeQuery } from '../../../../server/upstreams/openapi/request.ts';
import type { JsonValue } from '../../../../shared/base/json.ts';

const LIST = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };

/** The table of OpenAPI 3.1.1, "Style Examples": empty, string, list, object. */
const ROWS: readonly (readonly [string, boolean, readonly (string | null)[]])[] = [
  ['matrix', false, [';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150']],
  ['matrix', true, [';color', ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150']],
  ['label', false, ['.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150']],
  ['label', true, ['.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150']],
  ['simple', false, ['', 'blue', 'blue,black,brown', 'R,100,G,200,B,150']],
  ['simple', true, ['', 'blue', 'blue,black,brown', 'R=100,G=200,B=150']],
  ['form', false, ['color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150']],
  ['form', true, ['color=', 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150']],
  ['spaceDelimited', false, [null, null, 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150']],
  ['pipeDelimited', false, [null, null, 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150']],
  ['deepObject', true, [null, null, null, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150']],
];

it.each(ROWS)('styles of parameters %s, explode %s', (style, isExploded, expected) => {
  const write = (value: JsonValue): string =>
    ['matrix', 'label', 'simple'].includes(style)
      ? writePath('color', value, { style, isExploded })
      : writeQuery('color', value, { style, isExploded }).join('&');
  const written = ['', 'blue', LIST, OBJECT].map((value, at) =>
    expected[at] === null ? null : write(value),
  );
  expect(written).toEqual(expected);
});

it('styles of parameters encodes everything but unreserved characters', () => {
  expect(encodeStrict("a b/c?d=e&f'(g)*!é~-._")).toBe('a%20b%2Fc%3Fd%3De%26f%27%28g%29%2A%21%C3%A9~-._');
  expect(writePath('id', '../x', { style: 'simple', isExploded: false })).toBe('..%2Fx');
});

it('styles of parameters keeps reserved characters and escapes where the document allows them', () => {
  const style = { style: 'form', isExploded: true, allowsReserved: true };
  expect(writeQuery('q', 'a/b?c=d&e[0] %41é%', style)).toEqual(['q=a/b?c=d&e[0]%20%41%C3%A9%25']);
  // It would end the query and everything after it.
  expect(writeQuery('q', 'a#b', style)).toEqual(['q=a%23b']);
});
