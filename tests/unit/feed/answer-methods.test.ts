import { describe, expect, it } from 'vitest';
import { ANSWER_METHODS } from '../../../shared/bridge/answers.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { VERSION } from '../../../shared/version.ts';
import { createAnswerMethods } from '../../../server/feed/index.ts';
import { createRedactor } from '../../../server/redact/index.ts';
import { vouch } from '../../../server/redact/mark.ts';
import { codeOf } from '../../support/code-of.ts';
import { browserState, FakeBridge } from '../../support/fake-bridge.ts';

/* What people open, as it leaves the server. Each answer has the schema of its method, and no secret. */

const never = new AbortController().signal;
const SECRET = `ghp_${'0123456789abcdefghijklmnopqrstuvwxyz'}`;

type Parts = Parameters<typeof createAnswerMethods>[0];
const unasked = (): never => {
  throw new Error('Not asked.');
};
/** What leaves the server: of the schema of its method, with no secret. */
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

describe('call.result', () => {
  it('is null for a call that is not kept', async () => {
    expect(await methodsOf({})['call.result']({ call_id: 'c1' }, never)).toEqual({ answer: null });
  });

  it('has no secret, also where another server of MCP wrote it', async () => {
    const block = { type: 'text', text: `token ${SECRET}` };
    const kept = { ok: true, content: [{ type: 'foreign', block }], state: {} } as const;
    const answer = await methodsOf({ answers: { of: () => kept } })['call.result']({ call_id: 'c1' }, never);
    sent(ANSWER_METHODS['call.result'], answer);
    expect(answer.answer?.value).toContain('token');
  });
});

describe('outputs', () => {
  const page = {
    output_handle: 'oh_ABCDEFGHIJKL',
    offset: 0,
    limit: 5,
    returned: 1,
    total: 1,
    next_offset: null,
    eof: true,
  };
  const storedOf = (kind: 'items' | 'text' | 'bytes') =>
    ({ mimeType: 'application/json', kind, itemCount: null, expiresAtMs: 1, untrustedFrom: null }) as const;

  it.each([
    ['items', [{ a: SECRET }], { unit: 'items' }],
    ['text', `a ${SECRET}`, { unit: 'bytes' }],
    ['bytes', 'aGk=', { unit: 'bytes', base64: 'aGk=' }],
  ] as const)('a page of %s', async (kind, content, expected) => {
    const { 'outputs.page': read } = methodsOf({
      pages: {
        fetch: () =>
          Promise.resolve({ page: vouch({ ...page, content }) as never, note: '', stored: storedOf(kind) }),
      },
    });
    const answer = await read({ handle: 'oh_ABCDEFGHIJKL', offset: 0 }, never);
    const expectedPage = { ...expected, total: 1, next_offset: null, mime_type: 'application/json' };
    expect(sent(ANSWER_METHODS['outputs.page'], answer)).toMatchObject(expectedPage);
  });

  it('what is around a match has no secret', async () => {
    const found = {
      unit: 'bytes',
      matches: [{ offset: 1, before: SECRET, match: 'a', after: '' }],
      next_offset: null,
      total: 9,
    } as const;
    const { 'outputs.search': search } = methodsOf({ search: () => Promise.resolve(found) });
    const answer = await search({ handle: 'oh_A', text: 'a', offset: 0, limit: 5 }, never);
    sent(ANSWER_METHODS['outputs.search'], answer);
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
        release: (handle, by) => does(handle, by),
      },
      changed: async (facts) => void changes.push(facts),
    });
    const where = 'side_panel';
    expect(await change({ handle: 'oh_A', keep: true, where }, never)).toEqual({});
    expect(await change({ handle: 'oh_A', keep: false, where }, never)).toEqual({});
    expect(await remove({ handle: 'oh_A', where }, never)).toEqual({});
    await expect(change({ handle: 'oh_B', keep: true, where }, never)).rejects.toThrow('It cannot be done.');
    await expect(remove({ handle: 'oh_B', where }, never)).rejects.toThrow('It cannot be done.');
    expect(changes).toEqual([
      { kind: 'output_kept', subject: 'oh_A' },
      { kind: 'output_released', subject: 'oh_A' },
      { kind: 'output_deleted', subject: 'oh_A' },
    ]);
    expect(asked).toEqual(['person', 'person', undefined]);
  });
});

describe('runs.items', () => {
  const runsOf = (itemBytes: number) => ({
    page: ({ offset, limit = 0 }: { readonly offset: number; readonly limit?: number | undefined }) =>
      Promise.resolve({
        content: Array.from({ length: limit }, () => 'x'.repeat(itemBytes)),
        total: 1_000,
        next_offset: offset + limit,
      } as never),
  });

  it('are as many as fit in a frame of the bridge, however large pages of agents are', async () => {
    const { 'runs.items': read } = methodsOf({ runs: runsOf(20_000) });
    const answer = ANSWER_METHODS['runs.items'].result.parse(
      await read({ run_id: 'run_1', offset: 8, limit: 200 }, never),
    );
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(LIMITS.bridgeFrameBytes);
    expect(answer.next_offset).toBe(8 + answer.items.length);
    expect(answer.items.length).toBeGreaterThan(1);
  });

  it('one that fits in none is named, with the next step', async () => {
    const { 'runs.items': read } = methodsOf({ runs: runsOf(600_000) });
    expect(await codeOf(read({ run_id: 'run_1', offset: 8, limit: 200 }, never))).toBe('frame_too_large');
  });
});

it('lines of the ledger have no secret that another server did not know', async () => {
  const line = {
    chain: 'c',
    seq: 2,
    ts: '2026-11-20T08:00:00.000Z',
    kind: 'act',
    site: `https://x.example/?t=${SECRET}`,
  };
  const { 'ledger.page': read } = methodsOf({
    ledger: () => Promise.resolve({ lines: [line], next: null, is_intact: true, problems: [] }),
  });
  const page = sent(ANSWER_METHODS['ledger.page'], await read({ limit: 5 }, never));
  expect(page.lines[0]).toMatchObject({ chain: 'c', kind: 'act' });
});

describe('health.read', () => {
  const hopsOf = async (bridge: FakeBridge) => {
    const { hops } = await methodsOf({ bridge })['health.read']({}, never);
    return ANSWER_METHODS['health.read'].result.parse({ hops }).hops;
  };

  it('tells of each connected browser, and what it leaves to doctor', async () => {
    const bridge = new FakeBridge();
    bridge.change(browserState({ extensionVersion: VERSION, hostVersion: VERSION }));
    const hops = await hopsOf(bridge);
    expect(hops.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'node ok',
      'handshake ok',
      'versions ok',
      'worker ok',
      'build not_tested',
      'browser not_tested',
      'extension_id not_tested',
      'host_manifest not_tested',
      'page_read not_tested',
    ]);
    expect(bridge.calls.map(({ method }) => method)).toEqual(['bridge.echo']);
  });

  it('a worker that does not answer has failed, with its code and the next step', async () => {
    const late = () => Promise.reject(new SpillwayError('timeout', 'No sign of life.'));
    const bridge = new FakeBridge({ 'bridge.echo': late });
    bridge.change(browserState());
    const worker = (await hopsOf(bridge)).find(({ id }) => id === 'worker');
    expect(worker).toMatchObject({ status: 'failed', code: 'timeout', fix: expect.stringMatching(/./) });
    const [, link] = await hopsOf(new FakeBridge());
    expect(link).toMatchObject({ status: 'failed', code: 'browser_not_connected' });
  });
});
