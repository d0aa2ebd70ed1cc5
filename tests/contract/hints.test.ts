import { expect, it, onTestFinished } from 'vitest';
import type { Gate } from '../../server/core/calls/authorise.ts';
import { fitNames, toolsNamedIn } from '../../server/core/calls/fit-names.ts';
import { openSession } from '../../server/library/session.ts';
import { MODE_NAMES } from '../../server/modes/names.generated.ts';
import { ERRORS, SpillwayError, type ErrorCode } from '../../shared/errors.ts';
import { startMemoryServer } from '../support/memory-client.ts';
import { createSession } from '../support/session.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

it.each(MODE_NAMES.flatMap((mode) => ['mcp', 'library'].map((adapter) => [mode, adapter] as const)))(
  'a hint of any error in mode %s names over %s only tools that its session lists',
  async (mode, adapter) => {
    let code: ErrorCode = 'timeout';
    const gate: Gate = { check: () => Promise.reject(new SpillwayError(code, 'No.')) };
    const server = await startMemoryServer({ mode }, { gate });
    onTestFinished(() => server.close());
    const { registry } = server.executor;
    const library = openSession({ executor: server.executor });
    const fail = async (): Promise<string> =>
      adapter === 'mcp'
        ? (await server.call('tabs')).json<{ error: { hint: string } }>().error.hint
        : ((await library.call('tabs')).error?.hint ?? '');
    const { tools } = await server.client.listTools();
    const listed = adapter === 'mcp' ? tools.map(({ name }) => name) : library.list().map(({ name }) => name);
    for (code of CODES) {
      const hint = await fail();
      expect(hint, code).toMatch(/\w.*[.?]$/s);
      // Or it says how to list them first.
      const selected = /^Call find_tools with select (?<names>\[.*?\])/.exec(hint)?.groups?.['names'];
      const callable = [...listed, ...(JSON.parse(selected ?? '[]') as string[])];
      expect(callable, `${code}: ${hint}`).toEqual(expect.arrayContaining([...toolsNamedIn(hint, registry)]));
    }
  },
);

it.each([
  ['Call here with it.', 'Call here with it.'],
  ['It is a file; call gone with its url.', 'It is a file.'],
  ['Call gone, or call here for a list.', 'Call here for a list.'],
  ['Wait. Call gone. Or load it with here: it is new.', 'Wait. Or load it with here: it is new.'],
  ['Call here, or go_on with it. It is kept; ask.', 'Call here. It is kept; ask.'],
  ['Call go_on.', ''],
  ['Pass go_on to read it.', 'Pass go_on to read it.'],
  ['None of http://a.test/?q=go_on is new.', 'None of http://a.test/?q=go_on is new.'],
  ['The gone of a page is not a tool.', 'The gone of a page is not a tool.'],
])('a hint %j is %j where a session has one of its tools', (hint, fitted) => {
  const session = createSession('s');
  const registry = { has: (name: string) => ['here', 'gone', 'go_on'].includes(name) };
  expect(fitNames(hint, { tool: 'here', session }, registry)).toBe(fitted);
});
