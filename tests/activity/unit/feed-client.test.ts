import { expect, it, vi } from 'vitest';
import { FeedClient, type FeedPort } from '../../../extension/ui/frame/feed-client.ts';
import { PanelFeed } from '../../../extension/ui/frame/panel-feed.ts';
import type { FeedMessage, FeedRequest } from '../../../extension/ui/frame/feed-port.ts';
import type { FeedEvent } from '../../../shared/core/feed.ts';
import { ended } from '../../ui/unit/lines.ts';

class FakePort implements FeedPort {
  readonly sent: FeedRequest[] = [];
  readonly disconnect = vi.fn();
  readonly #messages: ((message: unknown) => void)[] = [];
  readonly #disconnects: (() => void)[] = [];
  readonly onMessage = {
    addListener: (listener: (message: unknown) => void) => void this.#messages.push(listener),
  };
  readonly onDisconnect = { addListener: (listener: () => void) => void this.#disconnects.push(listener) };

  postMessage(message: FeedRequest): void {
    this.sent.push(message);
  }

  send(message: FeedMessage | object): void {
    for (const listener of this.#messages) listener(structuredClone(message));
  }

  end(): void {
    for (const listener of this.#disconnects) listener();
  }
}

const BEGIN = { type: 'begin', cursors: {} };
const HOME = { home: 'home' };
const QUERY = { type: 'runs.list', ...HOME };

function client() {
  const ports: FakePort[] = [];
  const got: FeedEvent[] = [];
  const feed = new FeedClient({
    connect: () => {
      const port = new FakePort();
      ports.push(port);
      return port;
    },
    onServers: () => undefined,
    onControls: () => undefined,
    onEvents: (_server, events) => void got.push(...events),
  });
  feed.start();
  const port = (): FakePort => ports.at(-1) ?? new FakePort();
  return { feed, port, ports, got };
}

const events = (seq: number, ...list: readonly FeedEvent[]): object => {
  return { type: 'events', server: 'one', cursor: { seq, lines: seq }, events: list };
};

it('events are acknowledged, and continue where the page was when the worker ends, also when it ends again before it answers', () => {
  const { port, ports, got } = client();
  expect(port().sent).toEqual([BEGIN]);
  port().send(events(3, ended(1)));
  expect(got).toHaveLength(1);
  expect(port().sent.at(-1)).toEqual({ type: 'seen', server: 'one' });
  port().end();
  port().end();
  expect(ports).toHaveLength(3);
  expect(port().sent).toEqual([{ type: 'begin', cursors: { one: { seq: 3, lines: 3 } } }]);
});

it('a query is answered by its id, and is asked again when the worker ends before that, and with each server that comes back', async () => {
  const { feed, port } = client();
  const [first, second] = [feed.ask('runs.list', HOME), feed.ask('runs.list', HOME)];
  port().send({ type: 'answer', id: 2, result: { total: 2 } });
  expect(await second).toEqual({ total: 2 });
  port().end();
  port().send({ type: 'failure', id: 1, code: 'browser_disconnected', message: 'None is there.' });
  for (const servers of [[], []]) port().send({ type: 'servers', servers });
  const asked = { type: 'query', id: 1, query: QUERY };
  expect(port().sent).toEqual([BEGIN, asked, asked]);
  port().send({ type: 'answer', id: 1, result: { total: 1 } });
  expect(await first).toEqual({ total: 1 });
  port().end();
  expect(port().sent).toHaveLength(1);
});

it('a query fails with what the worker says', async () => {
  const { feed, port } = client();
  const refused = feed.ask('runs.list', HOME);
  const failure = { code: 'run_not_found', message: 'There is no such run.', hint: 'List the runs.' };
  port().send({ type: 'failure', id: 1, ...failure });
  await expect(refused).rejects.toMatchObject(failure);
});

it('a server that comes back is asked from the beginning if the page has forgotten its agents', () => {
  vi.useFakeTimers();
  const ports: FakePort[] = [];
  void new PanelFeed(() => ports[ports.push(new FakePort()) - 1] ?? new FakePort());
  const tell = (...servers: object[]): void => ports.at(-1)?.send({ type: 'servers', servers });
  const one = { server: 'one', version: '1', home: 'home' };
  tell(one);
  ports[0]?.send(events(3, ended(1)));
  for (const awayMs of [4_999, 5_000]) {
    expect(ports).toHaveLength(1);
    tell();
    vi.advanceTimersByTime(awayMs);
    tell(one);
  }
  expect(ports[0]?.disconnect).toHaveBeenCalled();
  expect(ports[1]?.sent[0]).toEqual(BEGIN);
});
