import { expect, it, onTestFinished } from 'vitest';
import type { UpstreamList } from '../../../extension/panel/answers-protocol.ts';
import { UpstreamsStore } from '../../../extension/panel/feed/upstreams-store.ts';
import { deferred } from '../../../shared/async/deferred.ts';

const listOf = (...ids: readonly string[]): UpstreamList => ({
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
  const early = deferred<UpstreamList>();
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
