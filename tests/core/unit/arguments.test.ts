import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../server/core/calls/arguments.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';

const parse = (tool: string, args: unknown) => {
  const manifest = MANIFESTS.find(({ name }) => name === tool);
  if (manifest === undefined) throw new Error(`no tool ${tool}`);
  return parseArguments(manifest, args);
};

const SCHEMA = { type: 'object', properties: { price: { type: 'number' } } };

describe('an argument of another type that can mean only one thing', () => {
  it.each<[string, string, object, object, string[]]>([
    [
      'a list as JSON text',
      'interact',
      { steps: '["click e1","click e2"]' },
      { steps: ['click e1', 'click e2'] },
      ['steps'],
    ],
    ['one text for a list', 'interact', { steps: 'click e1' }, { steps: ['click e1'] }, ['steps']],
    [
      'text with a bracket for a list',
      'interact',
      { steps: '[data-x] y' },
      { steps: ['[data-x] y'] },
      ['steps'],
    ],
    [
      'an object for a list',
      'interact',
      { steps: { do: 'click', target: 'e1' } },
      { steps: [{ do: 'click', target: 'e1' }] },
      ['steps'],
    ],
    [
      'an object as JSON text for a list',
      'interact',
      { steps: '{"click":"e1"}' },
      { steps: [{ do: 'click', target: 'e1' }] },
      ['steps'],
    ],
    [
      'an object as JSON text in a list',
      'interact',
      { steps: ['{"click":"e1"}'] },
      { steps: [{ do: 'click', target: 'e1' }] },
      [],
    ],
    [
      'an object as JSON text',
      'interact',
      { fields: '{"Name":"Ada"}' },
      { fields: { Name: 'Ada' } },
      ['fields'],
    ],
    [
      'a boolean in an object as JSON text',
      'navigate',
      { url: 'https://a.example/', wait_for: '{"network_idle":"true"}' },
      { wait_for: { network_idle: true } },
      ['wait_for', 'wait_for.network_idle'],
    ],
    [
      'a schema as JSON text',
      'extract_data',
      { schema: JSON.stringify(SCHEMA) },
      { schema: SCHEMA },
      ['schema'],
    ],
    [
      'a number as text',
      'crawl',
      { url: 'https://a.example/', max_pages: ' 20 ' },
      { max_pages: 20 },
      ['max_pages'],
    ],
    [
      'a boolean as text',
      'read_page',
      { main_content_only: 'false' },
      { main_content_only: false },
      ['main_content_only'],
    ],
    ['a boolean as Python writes it', 'read_page', { diff: 'True' }, { diff: true }, ['diff']],
    [
      'null for a field that is left out',
      'read_page',
      { selector: null, diff: null },
      { main_content_only: false },
      ['selector', 'diff'],
    ],
    [
      'empty text for a field that is left out',
      'read_page',
      { selector: '', ref: '', budget: '', format: '' },
      { format: 'markdown' },
      ['format', 'selector', 'ref', 'budget'],
    ],
    ['an option in capitals', 'read_page', { format: 'Markdown' }, { format: 'markdown' }, ['format']],
    ['a number for text', 'find', { query: 2026 }, { query: '2026' }, ['query']],
    [
      'everything as JSON text',
      'find',
      '{"query":"Save","limit":"3"}' as never,
      { query: 'Save', limit: 3 },
      ['', 'limit'],
    ],
  ])('%s', (_what, tool, given, expected, coerced) => {
    const parsed = parse(tool, given);
    expect(parsed.args).toMatchObject(expected);
    expect(parsed.coerced).toEqual(coerced);
  });

  it('is refused where it can mean two, by the field that remains wrong', () => {
    const refusal = (tool: string, args: object): string => {
      try {
        parse(tool, args);
      } catch (thrown) {
        return thrown instanceof SpillwayError ? thrown.message : String(thrown);
      }
      return 'taken';
    };
    expect([
      refusal('read_page', { budget: 'many' }),
      refusal('read_page', { diff: 'yes' }),
      refusal('read_page', { diff: 1 }),
      refusal('find', { query: null, limit: [3] }),
      refusal('interact', { steps: '["click e1", 5]', fields: '["a"]' }),
      refusal('crawl', { urls: '[["https://a.example/"]]' }),
      refusal('navigate', { url: 'https://a.example/', wait_for: '{"__proto__":{"text":"a"}}' }),
      refusal('interact', { fields: '{"__proto__":"a"}' }),
      refusal('intercept', { answer: { headers: JSON.parse('{"a":"b","__proto__":"c"}') } }),
      refusal('page_tool_call', { name: 'a', arguments: JSON.parse('{"__proto__":{"a":1}}') }),
    ]).toMatchInlineSnapshot(`
      [
        "read_page: budget: takes a number.",
        "read_page: diff: takes a boolean.",
        "read_page: diff: takes a boolean.",
        "find: limit: takes a number.",
        "interact: fields: takes an object.",
        "crawl: urls.0: takes a string.",
        "navigate: wait_for.__proto__: unknown field; it takes text, selector, network_idle, timeout_ms; wait_for: pass text, selector or network_idle: true.",
        "interact: fields.__proto__: takes no such name.",
        "intercept: answer.headers.__proto__: takes no such name.",
        "page_tool_call: arguments.__proto__: takes no such name.",
      ]
    `);
  });

  it('counts as left out, not as given', () => {
    expect(parse('crawl', { resume: 'run_ABCDEFGHIJKL', url: null, scope: '' }).given).toEqual(['resume']);
  });
});
