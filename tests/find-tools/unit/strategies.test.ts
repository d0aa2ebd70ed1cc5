import { expect, it } from 'vitest';
import type { RankTools, SelectableTool } from '../../../server/core/registry/selector.ts';
import { fitBudget, createToolSelector } from '../../../server/find-tools/index.ts';

const tool = (name: string, description: string, properties = {}): SelectableTool => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
});
const TOOLS = [
  tool('mail_send', 'Sends a message to a person.'),
  tool('mail_search', 'Searches the mailbox.'),
  tool('calendar_createEvent', 'Puts an event into the calendar.'),
  tool('disk_usage', 'Tells how full the disk is.', { mountPoint: { description: 'The volume' } }),
];
const { signal } = new AbortController();
const answering = (answer: string) => () => Promise.resolve(answer);

const names = async (
  strategy: 'keyword' | 'ai' | 'hybrid',
  rank: RankTools | undefined,
  request: { query?: string; budget_tokens?: number; messages?: { role: string; content: unknown }[] } = {},
): Promise<{ readonly names: readonly string[]; readonly notes: readonly string[] }> => {
  const selector = createToolSelector({ strategy, rank, patienceMs: 30 });
  const { tools, notes } = await selector.select({ query: 'send mail', tools: TOOLS, signal, ...request });
  return { names: tools.map(({ name }) => name), notes };
};

it.each([
  ['sending messages', 'mail_send'],
  ['create event', 'calendar_createEvent'],
  ['schedule an appointment', 'calendar_createEvent'],
  ['mount point', 'disk_usage'],
  ['calender', 'calendar_createEvent'],
])('by words %j finds %s first', async (query, name) => {
  expect((await names('keyword', undefined, { query })).names[0]).toBe(name);
});

it('by words keeps to the budget, but for the best one, and names what was too large', async () => {
  const large = tool('mail_large', 'Sends mail.', { a: { description: 'x'.repeat(4_000) } });
  const [best, second] = TOOLS as [SelectableTool, SelectableTool];
  const fitted = fitBudget({ tools: [best, large, second, large], notes: ['before'] }, 100);
  expect(fitted.tools).toEqual([best, second]);
  expect(fitted.notes).toEqual(['before', 'Too large for the budget of 100 tokens: mail_large.']);
  expect(fitBudget({ tools: [large, best], notes: [] }, 1)).toEqual({ tools: [large], notes: [] });
  expect((await names('keyword', undefined, { budget_tokens: 1 })).names).toHaveLength(1);
});

it('by a model takes its order, and leaves out unknown names and says so', async () => {
  expect(await names('ai', answering('Sure: ["disk_usage", "rm_rf", "mail_send", "disk_usage"]'))).toEqual({
    names: ['disk_usage', 'mail_send'],
    notes: ['The model named 1 unknown tool, which was left out.'],
  });
});

it.each([
  ['garbage', answering('As a language model, I cannot do that.'), 'no list of names'],
  ['broken JSON', answering('["mail_send", '), 'no list of names'],
  ['something else', answering('[1, 2]'), 'no list of names'],
  ['nothing', answering('[]'), 'named no tool'],
  ['unknown names', answering('["rm_rf"]'), 'only unknown tools'],
  ['a refusal', () => Promise.reject(new Error('User rejected sampling')), 'User rejected sampling'],
  ['a throw', () => Promise.reject(new Error('x'.repeat(5_000))), 'the model failed'],
  ['silence', () => new Promise<string>(() => undefined), 'the model was late'],
  ['no model', undefined, 'no model is available'],
] as const)('by a model %s falls back to words, and says so', async (_what, rank, why) => {
  const byWords = await names('keyword', undefined);
  for (const strategy of ['ai', 'hybrid'] as const) {
    const { names: found, notes } = await names(strategy, rank);
    expect(found).toEqual(byWords.names);
    expect(notes).toEqual([expect.stringContaining(why)]);
    expect(notes[0]).toMatch(/^Chosen by keywords: .{1,160}$/);
  }
});
