import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SessionPicks } from '../../../../server/core/context.ts';
import { produceJson } from '../../../../server/core/calls/produce.ts';
import type { Produced } from '../../../../server/core/result.ts';
import { createLogFeed } from '../../../../server/core/services.ts';
import { LiveFeed } from '../../../../server/activity/feed.ts';
import { createJournal } from '../../../../server/ledger/journal.ts';
import { prepareEntry } from '../../../../server/libraries/har/parts.ts';
import { createActRecord } from '../../../../server/people/act-record.ts';
import { secretPlaces } from '../../../../server/recipes/folder.ts';
import { redactMhtml } from '../../../../server/evidence/mhtml.ts';
import { FEED_BATCH } from '../../../../shared/core/feed.ts';
import { SpillwayError } from '../../../../shared/base/errors.ts';
import { MIME } from '../../../../shared/base/mime.ts';
import { each } from '../../../../shared/base/queue.ts';
import { realClock as clock, silentLogger as logger } from '../../../support/bridge-rig.ts';
import { startMemoryServer } from '../../../support/memory-client.ts';
import { filesBelow } from '../../../support/planted-secrets.ts';
import { rounds } from '../../../support/depth.ts';
import { TEST_SCOPE } from '../../../support/session.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { testProvider, testTool } from '../../../support/test-provider.ts';
import { request, setUp, waiting, type SetUp } from '../../../runs/unit/support.ts';
import { redactor } from './chunks.ts';
import { CONTEXTS, KINDS } from './contexts.ts';
import { Random } from './kinds.ts';

/* Every text of the table, through the writer of everything that leaves the server or stays. */

const PLANTED = Object.entries(CONTEXTS)
  .flatMap(([context, write], at) =>
    Object.entries(KINDS).map(([kind, [name, make]], seed) => {
      const value = make(new Random(100 * at + seed + 1));
      return { what: `${kind} as ${context}`, value, text: write(name, value) };
    }),
  )
  .filter((_, at) => (at + Math.floor(at / 8)) % rounds(1, 4) === 0);
const TEXTS = PLANTED.map(({ text }) => text);
const json = JSON.stringify;

/** The bytes of a home's files. */
const filesOf = (home: string): string =>
  filesBelow(home)
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');

/** Answers of a tool that `produce`s or throws each text, and the files of the home. */
async function answered(produce: (text: string) => Produced | never, mode = 'inline'): Promise<string> {
  const home = testFolder();
  const run = async ({ at }: { readonly at?: unknown }) => produce(TEXTS[Number(at)] ?? '');
  const providers = [testProvider('own', [testTool({ name: 'tell', kind: 'direct', run: run as never })])];
  const server = await startMemoryServer({ home, outputModeDefault: mode as 'inline' }, { providers });
  const shown: string[] = [];
  for (const at of TEXTS.keys()) shown.push(json((await server.call('tell', { at })).raw));
  await server.close();
  return shown.join('\n') + filesOf(home);
}

const textOf =
  (mimeType: (typeof MIME)[keyof typeof MIME], write = (text: string) => text) =>
  (text: string) =>
    ({
      payload: { kind: 'text', mimeType, chunks: each([write(text)]) },
      outcome: () => ({ state: {}, coverage: [] }),
    }) as Produced;

async function captured(mimeType: string, write: (text: string) => string): Promise<string> {
  const entries = TEXTS.map((planted) => {
    const text = write(planted);
    const entry = {
      ...{ _id: 1, startedDateTime: '' },
      request: { url: 'https://a.test/', postData: { mimeType, text } },
      response: { content: { mimeType, text } },
      ...{ _webSocketMessages: [{ opcode: 1, data: text }], _eventSourceMessages: [{ data: text }] },
    };
    return prepareEntry(entry as never, { id: 1, tab: 'b1:1', missing: null }, redactor);
  });
  return json(await Promise.all(entries));
}

async function ofRun(work: NonNullable<SetUp['work']>): Promise<string> {
  const { home, runs, journal } = await setUp({ work });
  const { run_id } = await runs.start(request({ texts: TEXTS }));
  await runs.wait(run_id, waiting()).catch(() => null);
  const view = await runs.get(run_id);
  await runs.close();
  return json([view, redactor.value(journal as never)]) + filesOf(home);
}

/** Events of calls, for people at the browsers. */
async function fed(): Promise<string> {
  const journal = createJournal({ home: testFolder(), clock, logger, redactor });
  const feed = new LiveFeed({ clock, journal, redactor, onSessionEnd: () => undefined });
  const { signal } = new AbortController();
  const session = { id: 's', name: 'agent', signal, picks: new SessionPicks() };
  const shown: unknown[] = [];
  let { cursor } = await feed.next({ cursor: null, limit: FEED_BATCH, wait_ms: 0 }, signal);
  for (const [at, text] of TEXTS.entries()) {
    const call = { callId: `c${at}`, tool: 'tabs', session };
    feed.begun(call, () => ({ event: 'tool_call', args: { text } }));
    feed.progress(call, { done: 1, message: text });
    if (at % 8 < 7 && at < TEXTS.length - 1) continue;
    const next = await feed.next({ cursor, limit: FEED_BATCH, wait_ms: 0 }, signal);
    ({ cursor } = next);
    shown.push(next.events);
  }
  feed.close();
  await journal.close();
  return json(shown);
}

const SINKS: Readonly<Record<string, () => Promise<string> | string>> = {
  'an answer as text': () => answered(textOf(MIME.text)),
  'an answer as Markdown': () => answered(textOf(MIME.markdown, (text) => `# Page\n\n${text}\n\nThe end.`)),
  'an answer as JSON text': () => answered(textOf(MIME.json, (text) => json({ id: 1, text, list: [text] }))),
  'a stored output': () => answered((text) => produceJson({ rows: [{ text }] }), 'handle'),
  'a failure': () =>
    answered((text) => {
      throw new SpillwayError('page_tool_failed', text, { quotes: 'https://a.test/', body: { text } });
    }),
  'a request': () => captured(MIME.text, (text) => text),
  'a request of JSON': () => captured(MIME.json, (text) => json([{ text }])),
  'a log': () => {
    const written: unknown[] = [];
    const write = (...line: readonly unknown[]): void => void written.push(line);
    const feed = createLogFeed({ debug: write, info: write, warn: write, error: write }, redactor);
    for (const text of TEXTS)
      feed.logger.info({ text, err: new Error(text, { cause: new Error(text) }), list: [{ text }] }, text);
    return json(written);
  },
  'the journal': async () => {
    const home = testFolder();
    const journal = createJournal({ home, clock, logger, redactor });
    for (const text of TEXTS)
      journal.record({ event: 'tool_call', args: { text, steps: [text] }, message: text });
    await journal.close();
    return filesOf(home);
  },
  'the ledger': async () => {
    const written: unknown[] = [];
    const ledger = { append: async (entry: unknown) => written.push(entry), finish: async () => undefined };
    const acts = createActRecord({ ledger, redactor, logger, server: 's' } as never);
    for (const name of TEXTS)
      await acts.begin({
        scope: { ...TEST_SCOPE, caller: { session: 's', name } },
        risks: [],
        site: name,
        allowed_by: { kind: 'rule', id: 'r' },
      } as never);
    return json(written);
  },
  'a recipe': () =>
    PLANTED.filter(({ text }) => {
      const recipe = { version: 1, name: 'a', steps: [{ id: 'a', tool: 'tabs', args: { text } }] };
      return secretPlaces(recipe as never, redactor, []).length === 0;
    })
      .map(({ text }) => text)
      .join('\n'),
  'a run': () =>
    ofRun(async (_args, scope) => {
      await scope.commit({
        items: [...TEXTS, { rows: TEXTS }],
        change: (rows) => rows.put(['end', 1], scope.redact([...TEXTS])),
      });
      for (const text of TEXTS) {
        scope.log('text', { text });
        scope.progress({ done: 1, queued: 0, failed: 0, message: text });
      }
      return { state: {}, coverage: TEXTS };
    }),
  'the failure of a run': async () => {
    const fail = (text: string) => ofRun(() => Promise.reject(new Error(text)));
    return (await Promise.all(TEXTS.slice(0, 8).map(fail))).join('\n');
  },
  'the feed': fed,
  'evidence of a page': async () => {
    let shown = '';
    for (const text of TEXTS) {
      const head =
        'Content-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n';
      for await (const chunk of redactMhtml(each([`${head}${text}\r\n--b--\r\n`]), redactor).chunks)
        shown += chunk;
    }
    return shown;
  },
};

it.each(Object.entries(SINKS))('no secret of the table is in %s', async (_sink, write) => {
  const shown = await write();
  const missed = PLANTED.filter(({ value }) =>
    [value, json(value).slice(1, -1)].some((form) => shown.includes(form)),
  );
  expect(missed.map(({ what }) => what)).toEqual([]);
});
