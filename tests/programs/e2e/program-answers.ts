/* Answers of a server about a program, for the panel. */

/** A program that asks, and later stops at a call with an unknown outcome. */
export const program = (waits: boolean) => ({
  tool: 'script',
  source: 'script',
  status: waits ? 'interrupted' : 'failed',
  progress: { done: 2, queued: 1, failed: 0, rate_per_second: 0 },
  error: waits
    ? { code: 'workflow_waits', message: 'It waits for a person.' }
    : { code: 'outcome_unknown', message: 'Nobody knows whether interact was done.' },
  args: {},
  args_left: 0,
  asks: waits,
});
const nothing = { ok: true, picture: null, state: {}, error: null, stored: null, notes: [] };
const call = { kind: 'tool', args: {}, status: 'done', answer: nothing, question: null, until: null };
const stored = { mime_type: 'application/json', size_bytes: 90, item_count: 1, preview: null };
export const calls = (waits: boolean) => [
  { ...call, id: 1, tool: 'read_page', answer: { ...nothing, value: 'Tea <b>and</b> coffee' } },
  { ...call, id: 2, tool: 'crawl', answer: { ...nothing, stored: { ...stored, handle: 'oh_ABCDEFGHJKLM' } } },
  waits
    ? {
        ...call,
        id: 3,
        kind: 'ask',
        tool: 'ask',
        status: 'waiting',
        answer: null,
        question: {
          type: 'form',
          message: 'Ship it <b>where</b>?',
          schema: {
            type: 'object',
            properties: { street: { type: 'string', title: 'Street' } },
            required: ['street'],
          },
        },
      }
    : { ...call, id: 3, tool: 'interact', status: 'not_repeated', answer: null },
];
