import { expect, it, onTestFinished } from 'vitest';
import type { Answer } from '../../../extension/panel/feed-protocol.ts';
import { UpstreamsStore } from '../../../extension/panel/feed/panel-feed.ts';
import { deferred } from '../../../shared/async/wait.ts';

const listOf = (...ids: readonly string[]): Answer<'upstreams'> => ({
  upstreams: ids.map((id) => ({
    id,
    target: 'run',
    state: 'ready',
    problem: null,
    tools: 1,
    unaccepted: 0,
  })),
});

it('an answer that comes after a later one changes nothing', async () => {
  const early = deferred<Answer<'upstreams'>>();
  const answers = [early.promise, Promise.resolve(listOf('new'))];
  const store = new UpstreamsStore(() => answers.shift() ?? Promise.reject(new Error('Not asked.')));
  onTestFinished(() => store.setServers([]));
  store.setServers(['s1']);
  await store.reload();
  early.resolve(listOf('old'));
  await early.promise;
  await new Promise(setImmediate);
  expect(store.all.value.map(({ id }) => id)).toEqual(['new']);
});
