import { afterAll, beforeAll, expect, it } from 'vitest';
import { SpillwayError } from '../../shared/errors.ts';
import { fakeHandlers } from '../tools/interact/fake.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';

const { 'act.run': receipt } = fakeHandlers;

/* What the tools of Spillway have come to when they fail, as modes with widgets send it. */

let server: MemoryServer;
const gone = (): never => {
  throw new SpillwayError('tab_not_found', 'There is no tab 1.');
};

beforeAll(async () => {
  server = await startMemoryServer({ mode: 'apps' });
  server.bridge.addBrowser({
    1: {
      url: 'https://a.test/',
      title: 'A',
      content: function* () {
        yield '# A\n';
        yield 'Some text.\n';
        gone();
      },
    },
  });
});
afterAll(() => server.close());

/** The error and the state of a call that fails. */
async function failureOf(name: string, args: Record<string, unknown>) {
  const answer = await server.call(name, args);
  expect(answer.isError, answer.text).toBe(true);
  return answer.raw.structuredContent as { readonly error: object; readonly state?: object };
}

it('read_page: a tab that goes away midway', async () => {
  expect(await failureOf('read_page', { tab: 'b1:1' })).toMatchObject({
    error: { code: 'tab_not_found' },
    state: { tab: 'b1:1', characters_read: 15 },
  });
});

it('read_page: an element that is not there', async () => {
  server.bridge.answer({ 'page.await': () => Promise.reject(new SpillwayError('timeout', 'Too slow.')) });
  expect(await failureOf('read_page', { tab: 'b1:1', wait_for: { text: 'tea' } })).toMatchObject({
    error: { code: 'timeout' },
    state: { tab: 'b1:1' },
  });
});

it('navigate: a page that was loaded, and was not as it was waited for', async () => {
  server.bridge.answer({
    'page.await': () => Promise.reject(new SpillwayError('tab_not_found', 'It has gone.')),
  });
  const args = { tab: 'b1:1', url: 'https://a.test/tea', wait_for: { text: 'tea' } };
  expect(await failureOf('navigate', args)).toMatchObject({ state: { tab: 'b1:1', url: 'https://a.test/' } });
});

it('fetch: a download that breaks off', async () => {
  server.bridge.answer({
    'fetch.file': async function* ({ url }) {
      yield `${JSON.stringify({ final_url: `${url}2`, status: 200, redirects: [], headers: { 'content-type': 'text/plain' } })}\n`;
      yield Buffer.from('four sails\n').toString('base64');
      throw new SpillwayError('timeout', 'It broke off.');
    },
  });
  expect(await failureOf('fetch', { url: 'https://a.test/f' })).toMatchObject({
    error: { code: 'timeout' },
    state: { url: 'https://a.test/f2', status: 200, bytes_read: 11 },
  });
});

it('oc_evidence_bundle: the parts that were lost, where none was captured', async () => {
  const crash = (): never => {
    throw new SpillwayError('page_crashed', 'The page crashed.');
  };
  server.bridge.answer({ 'page.screenshot': crash as never });
  const failure = await failureOf('oc_evidence_bundle', { tab: 'b1:1', include: ['screenshot'] });
  expect(failure).toMatchObject({
    error: { code: 'page_crashed' },
    state: {
      tab: 'b1:1',
      parts: ['screenshot'],
      captured: [],
      lost: [{ part: 'screenshot', code: 'page_crashed' }],
    },
  });
});

it('interact: the steps before the one that failed, and those that were not tried', async () => {
  server.bridge.answer({
    'act.run': async (params) => ({
      ...(await receipt(params)),
      done: [{ line: 'fill Name', note: null }],
      failed: {
        line: 'click Buy',
        code: 'target_not_found',
        message: 'There is no Buy.',
        hint: 'Read the page.',
      },
      not_tried: ['press Enter'],
    }),
  });
  const progress = {
    steps: 3,
    done: ['fill Name'],
    failed_step: 2,
    failed: 'click Buy',
    not_tried: ['press Enter'],
  };
  const steps = ['click Buy', 'press Enter'];
  // Fields are steps as well.
  const failure = await failureOf('interact', { tab: 'b1:1', fields: { Name: 'Ada' }, steps });
  expect(failure).toMatchObject({
    error: { body: progress },
    state: { tab: 'b1:1', url: 'https://a.test/', ...progress },
  });
});

it('interact: a browser that goes away while it acts', async () => {
  server.bridge.answer({
    'act.run': () => Promise.reject(new SpillwayError('browser_disconnected', 'It is gone.')),
  });
  expect(await failureOf('interact', { tab: 'b1:1', steps: ['click e6', 'press Enter'] })).toMatchObject({
    state: { tab: 'b1:1', steps: 2, is_sent: true },
  });
});
