import fc from '../../support/property.ts';
import { expect, test } from 'vitest';
import { parseLeniently } from '../../../extension/dom/lenient-json.ts';

test.each([
  ['{"a": 1,}', { a: 1 }],
  ['<!-- {"a": 1} -->', { a: 1 }],
  ['<!-- note -->\n{"a": 1}', { a: 1 }],
  ['{&quot;a&quot;: 1}', { a: 1 }],
  ['//<![CDATA[\n{"a": 1}\n//]]>', { a: 1 }],
  ['{"a": "line\nbreak\u000b"}', { a: 'line\nbreak\u000b' }],
  ['{ /* note */ "a": "http://x.test/y" // end\n}', { a: 'http://x.test/y' }],
  ['{"a": ",}", "b": "it\\\'s"}', { a: ',}', b: "it's" }],
  ['{"a": 1}\n{"b": "}{"};', [{ a: 1 }, { b: '}{' }]],
  ['{"a": 1},\n[{"b": 2},],', [{ a: 1 }, { b: 2 }]],
  ['{not json', undefined],
])('%j', (text, value) => expect(parseLeniently(text)).toEqual(value));

test('JSON is read as it is', () =>
  fc.assert(fc.property(fc.json(), (text) => void expect(parseLeniently(text)).toEqual(JSON.parse(text)))));
