import { Command } from 'commander';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { serverCommand } from '../../../server/cli/options.ts';
import {
  fillToolCommand,
  toolOptions,
  type KnownToCommand,
} from '../../../server/cli/tool-commands/command.ts';
import { givenArguments, parameterOptions } from '../../../server/cli/tool-commands/parameters.ts';
import type { CommandRequest } from '../../../server/cli/tool-commands/run.ts';
import { TOOL_COMMANDS } from '../../../server/cli/tool-commands/table.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';

function argumentsOf(shape: z.core.$ZodLooseShape, ...words: string[]): unknown {
  const options = parameterOptions({ name: 'made_up', input: z.strictObject(shape) });
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  for (const { option } of options) command.addOption(option);
  command.parse(words, { from: 'user' });
  return givenArguments(command, options)['made_up'];
}

const SHAPE = {
  plain_text: z.string().min(2).optional().describe('Some text'),
  how_many: z.int().min(1).max(9).default(3).describe('A number'),
  is_on: z.boolean().default(false),
  is_off: z.boolean().default(true),
  open_question: z.boolean().optional(),
  one_of: z.enum(['a', 'b']).default('a'),
  list_of: z.array(z.string().min(2)).optional(),
  inner: z.strictObject({ first_key: z.string().optional(), second: z.int().default(5) }).optional(),
};

it.each([
  [[], undefined],
  [['--how-many', '9'], { how_many: 9 }],
  [['--is-on'], { is_on: true }],
  [['--no-is-off'], { is_off: false }],
  [['--no-open-question'], { open_question: false }],
  [['--list-of', 'one', '--list-of', 'two'], { list_of: ['one', 'two'] }],
  [['--inner-first-key', 'x', '--inner-second', '7'], { inner: { first_key: 'x', second: 7 } }],
  // A given value is passed even if it is the default.
  [['--how-many', '3'], { how_many: 3 }],
])('a parameter as an option %j says %j', (words, expected) => {
  expect(argumentsOf(SHAPE, ...words)).toEqual(expected);
});

it.each([
  [['--plain-text', 'x'], 'plain-text <text>'],
  [['--how-many', '0'], 'how-many <number>'],
  [['--how-many', 'ten'], 'It takes a number.'],
  [['--one-of', 'c'], 'Allowed choices are a, b.'],
  [['--inner-second', 'x'], 'inner-second <number>'],
  [['--is-off'], "unknown option '--is-off'"],
])('a parameter as an option %j is refused with a message about %s', (words, message) => {
  expect(() => argumentsOf(SHAPE, ...words)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(message) }),
  );
});

it.each(TOOL_COMMANDS)('$name has an option for each parameter that it does not leave out, once', (row) => {
  for (const { tool, without } of row.tools) {
    const manifest = MANIFESTS.find(({ name }) => name === tool);
    const names = Object.keys(manifest?.input.shape ?? {});
    expect(names).toEqual(expect.arrayContaining([...without]));
    const paths = toolOptions(row).flatMap((each) => (each.tool === tool ? [each.path[0]] : []));
    const output = manifest?.spills === true ? ['output_mode', 'output_inline_limit_bytes'] : [];
    expect(new Set(paths)).toEqual(new Set([...names.filter((name) => !without.includes(name)), ...output]));
  }
  const flags = toolOptions(row).map(({ option }) => option.long);
  expect(flags).toEqual([...new Set(flags)]);
});

async function requested(
  words: readonly string[],
  known: KnownToCommand = { input: null, hasTab: false },
): Promise<CommandRequest> {
  const program = serverCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  const found: CommandRequest[] = [];
  program.enablePositionalOptions();
  for (const row of TOOL_COMMANDS) {
    fillToolCommand(program.command(row.name), row, async (request) => void found.push(request(known)));
  }
  await program.parseAsync(words, { from: 'user' });
  const [request] = found;
  if (request === undefined) throw new Error('No command was asked for.');
  return request;
}

it.each<[words: string, calls: unknown[], input?: string]>([
  ['read', [['read_page', { tab: 'active' }]]],
  ['read|b1:42|--format|text', [['read_page', { tab: 'b1:42', format: 'text' }]]],
  [
    'read|example.com|--wait-until|load|--wait-for-text|Done|--browser|b2',
    [
      ['navigate', { url: 'example.com', wait_until: 'load', browser: 'b2' }],
      ['read_page', { wait_for: { text: 'Done' } }],
    ],
  ],
  ['fetch|/a.pdf|--tab|active|--pages|2-5', [['fetch', { url: '/a.pdf', tab: 'active', pages: '2-5' }]]],
  ['crawl|https://a.test/|https://b.test/', [['crawl', { urls: ['https://a.test/', 'https://b.test/'] }]]],
  [
    'crawl|--sitemap|https://a.test/s.xml|--no-respect-robots|--exclude|**.pdf|--exclude|/x/**',
    [['crawl', { sitemap: 'https://a.test/s.xml', respect_robots: false, exclude: ['**.pdf', '/x/**'] }]],
  ],
  ['navigate|a.test|--wait-for-text|OK', [['navigate', { url: 'a.test', wait_for: { text: 'OK' } }]]],
  ['read-page|--format|snapshot', [['read_page', { format: 'snapshot' }]]],
  ['interact|click e3|{"focus":"e5"}', [['interact', { steps: ['click e3', { focus: 'e5' }] }]]],
  ['interact|["click e3","press Enter"]', [['interact', { steps: ['click e3', 'press Enter'] }]]],
  ['interact|--fields|{"Name":"Ada"}', [['interact', { fields: { Name: 'Ada' } }]]],
  ['interact|-', [['interact', { steps: ['fill e5 Ada', 'click e9'] }]], 'fill e5 Ada\r\n\nclick e9\n'],
  [
    'interact|-|click e9',
    [['interact', { steps: [{ press: 'Tab' }, 'click e9'] }]],
    '{\n"press": "Tab"\n}\n',
  ],
  ['crawl|-', [['crawl', { urls: ['https://a.test/', 'b.test'] }]], 'https://a.test/\nb.test\n'],
  ['output-fetch|-', [['oc_output_fetch', { output_handle: 'oh_1' }]], 'oh_1\n'],
  ['script|-', [['script', { code: 'return 1;' }]], 'return 1;\n'],
  ['script|return input|--input|{"a":1}', [['script', { code: 'return input', input: { a: 1 } }]]],
  ['extract-data|{"type":"object"}', [['extract_data', { schema: { type: 'object' } }]]],
  ['output-query|o|--fields|a|--fields|b', [['oc_output_query', { output_handle: 'o', fields: ['a', 'b'] }]]],
  [
    'request-human-input|Go?|--type|approval',
    [['request_human_input', { message: 'Go?', type: 'approval' }]],
  ],
])('a command line %s makes %j', async (words, calls, input) => {
  const { calls: made } = await requested(words.split('|'), { input: input ?? null, hasTab: false });
  expect(made.map(({ tool, args }) => [tool, args])).toEqual(calls);
});

it('the help of a command names the choices of its argument', () => {
  const { operand } = TOOL_COMMANDS.find(({ name }) => name === 'dialog') ?? {};
  expect(operand?.[1]).toContain('(choices: accept, dismiss)');
});

it('a command line reads the current tab of a session that has one', async () => {
  const { calls } = await requested(['read'], { input: null, hasTab: true });
  expect(calls.map(({ args }) => args)).toEqual([{}]);
});

it.each([
  ['read b1:42 --wait-until load', 'read: wait_until goes with an address, not with a tab.'],
  ['read --headless', '--headless has no effect without --launch.'],
])('a command line %s is refused', async (line, message) => {
  await expect(requested(line.split(' '))).rejects.toThrow(
    expect.objectContaining({ code: 'invalid_argument', message }),
  );
});
