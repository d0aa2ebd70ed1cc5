import { expect, it } from 'vitest';
import { produceJson } from '../../../server/core/calls/produce.ts';
import type { CallContext, ClientSession } from '../../../server/core/context.ts';
import { createFlows } from '../../../server/flows/index.ts';
import { expectOnWorkers } from '../../../server/crawl/redirects.ts';
import type { CallScope, FlowSource } from '../../../shared/core/policy/call-facts.ts';
import { codeOf } from '../../support/code-of.ts';
import { FakeBridge } from '../../support/fake-bridge.ts';
import { createSession, TEST_SCOPE } from '../../support/session.ts';
import { testExecutor } from '../../core/unit/support.ts';

/* Text that leaves by other ways than the arguments of a call. */

const SECRET = 'The board meets on Thursday to discuss the sale of the northern branch to Halvorsen & Sons.';
const MAIL = 'https://mail.example';

/** The sites of which a call has text, after its agent has read a mail. */
async function sourcesIn(work: (context: CallContext) => Promise<void>, session = createSession('reader')) {
  const flows = createFlows({ mode: 'ask' });
  flows.given(session as ClientSession, [SECRET], MAIL);
  await flows.ready(session as ClientSession);
  let found: readonly FlowSource[] = [];
  const { executor, call } = testExecutor(
    async (_args, context) => {
      await work(context);
      found = context.call.call.sources ?? [];
      return produceJson('done', {});
    },
    { flows },
  );
  await executor.execute(call({ session }));
  return found;
}

it.each<[string, (context: CallContext) => Promise<void>]>([
  ['a file that it sends', async ({ sends }) => sends({ 'a.txt': SECRET })],
  ['a file that the card only names', async ({ sends }) => sends({ 'a.txt': '91 bytes' }, [SECRET])],
  ['the answer of a lent model', ({ leaves }) => leaves('upstream://crm', JSON.stringify({ text: SECRET }))],
])('%s has its source', async (_what, work) => {
  expect(await sourcesIn(work)).toMatchObject([{ site: MAIL, how: 'text', is_private: true }]);
});

it('a file of other text has none', async () => {
  expect(
    await sourcesIn(async ({ sends }) => sends({ 'a.txt': 'Somebody else wrote this, long ago.' })),
  ).toEqual([]);
});

it('work of other machines begins only if a browser can ask', async () => {
  const source: FlowSource = {
    ...{ site: MAIL, group: 'mail.example', is_private: true, how: 'text' },
    ...{ passages: 1, characters: 70, marks: [] },
  };
  const carrying = (sources: FlowSource[]): CallScope => ({
    ...TEST_SCOPE,
    call: { ...TEST_SCOPE.call, sources },
  });
  const { signal } = new AbortController();
  const begin = (call: CallScope) =>
    expectOnWorkers(new FakeBridge(), ['https://b.example/'], { call, signal });
  expect(await codeOf(begin(carrying([source])))).toBe('approval_required');
  await begin(carrying([]));
});
