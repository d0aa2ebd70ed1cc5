import { describe, expect, it, vi } from 'vitest';
import { ANSWER_METHODS, SHOWN_TOOL_UNITS, UPSTREAM_METHODS } from '../../../shared/core/bridge/answers.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { RunView } from '../../../server/core/runs.ts';
import type { OfferedTool, UpstreamSummaries } from '../../../server/core/upstreams.ts';
import { createAnswerMethods } from '../../../server/activity/answers.ts';
import { createFeedMethods, createUpstreamMethods } from '../../../server/activity/methods.ts';
import { createRedactor } from '../../../server/libraries/redaction/index.ts';
import { clean } from '../../../server/libraries/redaction/clean.ts';
import { vouch } from '../../support/clean.ts';
import { codeOf } from '../../support/code-of.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';

/* Everything that people open and do, as it leaves the server: it fits its schema and has no secrets. */

const never = new AbortController().signal;
const SECRET = `ghp_${'0123456789abcdefghijklmnopqrstuvwxyz'}`;

type Parts = Parameters<typeof createAnswerMethods>[0];
const unasked = (): never => {
  throw new Error('Not asked.');
};
/** Messages that leave the server fit the schema of their method, and contain no secret. */
function sent<T>(method: { readonly result: { parse(value: unknown): T } }, answer: unknown): T {
  expect(JSON.stringify(answer)).not.toContain(SECRET);
  return method.result.parse(answer);
}
const methodsOf = (parts: Partial<Parts>) =>
  createAnswerMethods({
    answers: { of: () => null },
    pages: { fetch: unasked },
    search: unasked,
    store: { delete: unasked, keep: unasked, release: unasked },
    runs: { page: unasked },
    ledger: unasked,
    bridge: new FakeBridge(),
    changed: () => Promise.resolve(),
    redactor: createRedactor({ enabled: true }),
    ...parts,
  });

it('call.result has no secret, also where another server of MCP wrote it', async () => {
  const block = { type: 'text', text: `token ${SECRET}` };
  const kept = { ok: true, content: [{ type: 'foreign', block }], state: {} } as const;
  const answer = await methodsOf({ answers: { of: () => kept } })['call.result']({ call_id: 'c1' }, never);
  sent(ANSWER_METHODS['call.result'], answer);
  expect(answer.answer?.value).toContain('token');
});

describe('outputs', () => {
  const place = { output_handle: 'oh_ABCDEFGHIJKL', offset: 0, limit: 5, returned: 1 };
  const page = { ...place, total: 1, next_offset: null, eof: true };
  const storedOf = (kind: 'items' | 'text' | 'bytes') =>
    ({ mimeType: 'application/json', kind, itemCount: null, expiresAtMs: 1, untrustedFrom: null }) as const;

  it.each([
    ['items', [{ a: SECRET }], { unit: 'items' }],
    ['text', `a ${SECRET}`, { unit: 'bytes' }],
    ['bytes', 'aGk=', { unit: 'bytes', base64: 'aGk=' }],
  ] as const)('a page of %s', async (kind, content, expected) => {
    const answered = { page: vouch({ ...page, content }) as never, note: '', stored: storedOf(kind) };
    const { 'outputs.page': read } = methodsOf({ pages: { fetch: async () => answered } });
    const answer = await read({ handle: 'oh_ABCDEFGHIJKL', offset: 0 }, never);
    const expectedPage = { ...expected, total: 1, next_offset: null, mime_type: 'application/json' };
    expect(sent(ANSWER_METHODS['outputs.page'], answer)).toMatchObject(expectedPage);
  });

  it('one that a person deletes, keeps or releases is in the ledger, and one that cannot be is not', async () => {
    const changes: unknown[] = [];
    const asked: unknown[] = [];
    const usage = { kept: null, expires_at_ms: 0, keptBytes: 0, keptMaxBytes: 1 };
    const does = async (handle: string, by?: string): Promise<typeof usage> => {
      if (handle !== 'oh_A') throw new Error('It cannot be done.');
      asked.push(by);
      return usage;
    };
    const { 'outputs.delete': remove, 'outputs.keep': change } = methodsOf({
      store: {
        delete: async (handle) => void (await does(handle)),
        keep: (handle, _note, by) => does(handle, by),
        release: does,
      },
      changed: async (facts) => void changes.push(facts),
    });
    const where = 'side_panel';
    for (const keep of [true, false])
      expect(await change({ handle: 'oh_A', keep, where }, never)).toEqual({});
    expect(await remove({ handle: 'oh_A', where }, never)).toEqual({});
    await expect(change({ handle: 'oh_B', keep: true, where }, never)).rejects.toThrow('It cannot be done.');
    await expect(remove({ handle: 'oh_B', where }, never)).rejects.toThrow('It cannot be done.');
    const kinds = ['output_kept', 'output_released', 'output_deleted'];
    expect(changes).toEqual(kinds.map((kind) => ({ kind, subject: 'oh_A' })));
    expect(asked).toEqual(['person', 'person', undefined]);
  });
});

it('runs.items are as many as fit in a frame of the bridge, however large pages of agents are', async () => {
  const page: Parts['runs']['page'] = async ({ offset, limit = 0 }) => {
    const content = Array.from({ length: limit }, () => 'x'.repeat(20_000));
    return { content, total: 1_000, next_offset: offset + limit } as never;
  };
  const { 'runs.items': read } = methodsOf({ runs: { page } });
  const answer = await read({ run_id: 'run_1', offset: 8, limit: 200 }, never);
  const { items, next_offset: next } = sent(ANSWER_METHODS['runs.items'], answer);
  expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(LIMITS.bridgeFrameBytes);
  expect(next).toBe(8 + items.length);
  expect(items.length).toBeGreaterThan(1);
});

it('lines of the ledger have no secret that another server did not know', async () => {
  const at = { chain: 'c', seq: 2, ts: '2026-11-20T08:00:00.000Z' };
  const line = { ...at, kind: 'act', site: `https://x.example/?t=${SECRET}` };
  const page = { lines: [line], next: null, is_intact: true, is_shorter: false, problems: [] };
  const { 'ledger.page': read } = methodsOf({ ledger: async () => page });
  const answer = sent(ANSWER_METHODS['ledger.page'], await read({ limit: 5, remembered: [] }, never));
  expect(answer.lines[0]).toMatchObject({ chain: 'c', kind: 'act' });
});

const viewOf = (status: RunView['status']): RunView => ({
  run_id: clean`run_ABCDEFGH2345`,
  tool: 'crawl',
  status,
  progress: { done: 1, queued: 0, failed: 0, rate_per_second: 0 },
  items: 1,
  size_bytes: 10,
  started_at_ms: 1,
  ended_at_ms: 2,
  // As stored by another server of the home that did not know the secret.
  error: { code: 'cancelled', message: SECRET as ReturnType<typeof clean> },
  notes: [clean`2 addresses that look like a crawler trap were not read.`],
  output_handle: null,
  output_mode: 'auto',
  output_inline_limit_bytes: 1,
  source: clean`https://shop.example/`,
  args: vouch({
    url: 'https://shop.example/',
    include: ['/docs/**'],
    max_pages: 200,
    note: `${'Tea and coffee. '.repeat(11)}${SECRET}${' and tea'.repeat(20)}`,
    schema: { of: 'x'.repeat(300) },
    sitemap: null,
    instance: '4d550751-f136-49d2-adeb-471a3560c7a7',
  }),
  has_arguments: true,
});

const runChanges: object[] = [];

function runMethods(runs: object) {
  return createFeedMethods({
    changed: async (facts) => void runChanges.push(facts),
    feed: { next: unasked, session: unasked },
    journal: { page: unasked, record: unasked },
    store: { list: () => Promise.resolve([]) },
    runs: runs as never,
    parking: runs as never,
    redactor: createRedactor({ enabled: true }),
    home: 'home',
  });
}

it.each([
  ['cancel', 'cancelled', {}, ['a person in the side panel']],
  // It belongs to no call, so the browser does not judge an agent again.
  ['resume', 'running', {}, [undefined, undefined]],
  ['resume', 'running', { outcome: 'skip', result: '{"order": 7}' }, ['skip', { order: 7 }]],
  ['resume', 'running', { outcome: 'skip', result: 'it was sent' }, ['skip', 'it was sent']],
] as const)(
  'a person’s %s is in the ledger, and a %s run has no secret: %j',
  async (act, status, decision, given) => {
    const asked = vi.fn(() => Promise.resolve(viewOf(status)));
    const query = { run_id: 'run_ABCDEFGH2345', ...decision };
    const { run } = await runMethods({ [act]: asked })[`runs.${act}`](query, never);
    expect(asked.mock.calls).toEqual([['run_ABCDEFGH2345', ...given]]);
    const kind = act === 'cancel' ? 'run_cancelled' : 'run_resumed';
    expect(runChanges.splice(0)).toEqual([{ kind, subject: 'run_ABCDEFGH2345', tool: 'crawl' }]);
    expect(run.status).toBe(status);
    expect(JSON.stringify(run)).not.toContain(SECRET);
  },
);

const listed = async (...views: RunView[]) => {
  const list = () => Promise.resolve({ runs: views, total: views.length, left: 0 });
  return (await runMethods({ list })['runs.list']({ offset: 0, limit: 50 }, never)).runs;
};

it('runs fit in a frame, whatever their programs threw, and say whether they ask a person', async () => {
  const text = vouch('页面"'.repeat(2_000));
  const error = { code: 'program_failed', message: text } as const;
  const notes = new Array<typeof text>(22).fill(text);
  const view = { ...viewOf('failed'), error, notes, source: text };
  const runs = await listed(...new Array<RunView>(50).fill(view));
  expect(Buffer.byteLength(JSON.stringify(runs))).toBeLessThan(LIMITS.bridgeFrameBytes - 1_000);
  expect(runs[0]?.error?.message).toMatch(/页面.*…$/);
  expect([runs[0]?.notes?.length, runs[0]?.notes?.at(-1)]).toEqual([21, 'And 2 more.']);
  const body = { waiting: [{ id: 1, question: { type: 'approval', message: 'Send it?' } }] };
  const asking = { ...view, error: { code: 'workflow_waits', message: text, body: body as never } } as const;
  expect((await listed(view, asking)).map(({ asks }) => asks)).toEqual([false, true]);
});

it('a run says what it was started with, redacted before it is cut', async () => {
  const [run] = await listed(viewOf('completed'));
  expect(run?.args).toMatchObject({
    url: 'https://shop.example/',
    include: '["/docs/**"]',
    max_pages: 200,
    schema: expect.stringMatching(/^\{"of":"x+…$/) as string,
  });
  expect(Object.keys(run?.args ?? {})).toEqual(['url', 'include', 'max_pages', 'note', 'schema']);
  expect(String(run?.args?.['note']).length).toBeLessThanOrEqual(200);
  expect(JSON.stringify(run)).not.toContain(SECRET.slice(0, 12));
  expect(run).not.toHaveProperty('args_left');
  expect(run?.notes).toEqual(viewOf('completed').notes);
});

const offered = (name: string, description = 'Does it.'): OfferedTool => ({
  tool: { rawName: name, description, inputSchema: { type: 'object' }, isReadOnly: true },
  distrust: 'not_accepted',
});

function upstreamRig(tools: readonly OfferedTool[]) {
  const done: unknown[] = [];
  const upstreams: UpstreamSummaries = {
    report: () => [
      { id: 'a', target: `run --token ${SECRET}`, state: 'ready', problem: null, tools: 1, unaccepted: 1 },
    ],
    offer: () => ({ revision: 'r1', tools }),
    onChange: () => () => undefined,
    accept: async (id, revision) => {
      if (revision !== 'r1') throw new SpillwayError('upstream_changed', 'Another.');
      done.push(id);
    },
  };
  const methods = createUpstreamMethods({
    upstreams,
    changed: async (facts) => void done.push(facts),
    redactor: createRedactor({ enabled: true }),
  });
  return { methods, done };
}

it('tools of other servers come in pages that fit in a frame, each once, redacted', async () => {
  const long = `${SECRET} ${'\u0001'.repeat(SHOWN_TOOL_UNITS - 100)}`;
  const { methods } = upstreamRig(Array.from({ length: 12 }, (_, index) => offered(`t${index}`, long)));
  const names: string[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const page = await methods['upstreams.tools']({ id: 'a', offset }, never);
    const text = JSON.stringify(UPSTREAM_METHODS['upstreams.tools'].result.parse(page));
    expect(Buffer.byteLength(text)).toBeLessThan(LIMITS.bridgeFrameBytes);
    expect(text).not.toContain(SECRET);
    expect(page.tools.every((tool) => tool.is_whole)).toBe(true);
    names.push(...page.tools.map(({ name }) => name));
    offset = page.next_offset;
  }
  expect(names).toEqual(Array.from({ length: 12 }, (_, index) => `t${index}`));
});

it('what was listed without a secret is accepted, and the ledger has it, unless it has changed since', async () => {
  const { methods, done } = upstreamRig([offered('one')]);
  const list = sent(UPSTREAM_METHODS['upstreams.list'], await methods['upstreams.list']({}, never));
  expect(list.upstreams[0]).toMatchObject({ id: 'a', unaccepted: 1 });
  const params = { id: 'a', revision: 'r1', where: 'side_panel' } as const;
  const other = methods['upstreams.accept']({ ...params, revision: 'r0' }, never);
  expect(await codeOf(other)).toBe('upstream_changed');
  expect(done).toEqual([]);
  expect(await methods['upstreams.accept'](params, never)).toEqual({ accepted: 1 });
  expect(done).toEqual(['a', { kind: 'upstream_accepted', subject: 'a' }]);
});
