import { expect, it } from 'vitest';
import { open, run, type ScriptedHost, settle, ten } from './scripted-host.ts';

type Call = ScriptedHost['calls'][number];
const RUN = 'run_ABCDEFGHIJKL';
const OTHER = 'run_BCDEFGHIJKLM';
/** A widget that shows a run, and has asked for its status. */
async function asking() {
  const bench = await open();
  await bench.tell(run());
  await bench.ring();
  const answer = async (tool: string, raw: unknown): Promise<void> => {
    bench.host.next(tool).answer(raw);
    await settle();
  };
  return { ...bench, answer };
}
/** A widget that has asked for the end of a run. */
async function cancelling() {
  const bench = await open();
  await bench.tell(run());
  bench.widget.askToCancel(true);
  void bench.widget.cancel();
  return { ...bench, sent: bench.host.next('run_cancel_internal') };
}

const pending = (tool: string): object => ({
  pending: { call_id: '1', tool, arguments: {}, interaction: { question: 'May it?' } },
});

const page = (offset: number, content: readonly unknown[], total: number, change: object = {}): object => ({
  run_id: 'run_ABCDEFGHIJKL',
  offset,
  limit: 10,
  returned: content.length,
  total,
  content,
  next_offset: offset + content.length,
  eof: false,
  ...change,
});

it('a run is asked for its status, then for its first page once it has items', async () => {
  const { host, widget, tell, ring } = await open();
  await tell(run());
  await ring();
  const asked = host.next('run_status_internal');
  expect(asked.args).toEqual({ run_id: RUN });
  asked.answer(run({ tool: 'crawl', items: 12 }));
  await settle();
  expect(widget.toolName.value).toBe('crawl');
  const first = host.next('run_output_internal');
  expect(first.args).toEqual({ run_id: RUN, offset: 0, limit: 10 });
  first.answer(page(0, ten(0), 12));
  await settle();
  expect(widget.items.page.value).toMatchObject({ offset: 0, total: 12, nextOffset: 10 });
});

async function atFirstPage() {
  const bench = await asking();
  await bench.answer('run_status_internal', run({ status: 'completed', items: 30 }));
  await bench.answer('run_output_internal', page(0, ten(0), 30));
  return bench;
}

it('pages go forward and back, are announced to a screen reader, and their place is kept', async () => {
  const { host, widget, answer } = await atFirstPage();
  void widget.turn('next');
  await answer('run_output_internal', page(10, ten(10), 30));
  expect(widget.says.value).toBe('Items 11–20 of 30');
  expect(host.saved).toEqual([{ trail: [0, 10] }]);
  void widget.turn('previous');
  expect(host.next('run_output_internal').args).toMatchObject({ offset: 0 });
});

it.each([
  ['to a cancel leaves', (sent: Call) => sent.answer(run({ status: 'cancelled', items: 3 }))],
  ['of a cancel that did not arrive leaves', (sent: Call) => sent.fail()],
])('a late answer %s the run that is shown by then', async (_what, end) => {
  const { widget, tell, sent } = await cancelling();
  await tell(run({ run_id: OTHER }));
  widget.askToCancel(true);
  end(sent);
  await settle();
  expect(widget.shown.value).toMatchObject({ run: { run_id: OTHER, status: 'running' } });
  expect(widget.isLive()).toBe(true);
  expect(widget.cancelStep.value).toBe('asked');
  expect(widget.failure.value).toBeNull();
});

it('cancel does nothing before it was asked for, and shows how the run ended', async () => {
  const { host, widget, tell } = await open();
  await tell(run());
  await widget.cancel();
  expect(host.calls).toEqual([]);
  widget.askToCancel(true);
  void widget.cancel();
  expect(widget.cancelStep.value).toBe('sent');
  host.next('run_cancel_internal').answer(run({ status: 'cancelled' }));
  await settle();
  expect(widget.shown.value).toMatchObject({ run: { status: 'cancelled' } });
  expect(widget.poll.value?.phase).toBe('ended');
  expect(widget.says.value).toBe('Run: Cancelled');
});

it.each([
  ['did not arrive', 'not_reached', (sent: Call) => sent.fail()],
  ['waits for a person', 'pending', (sent: Call) => sent.answer(pending('run_cancel_internal'))],
])('cancel that %s says so, and leaves the run going', async (_what, code, end) => {
  const { widget, sent } = await cancelling();
  end(sent);
  await settle();
  expect(widget.failure.value?.code).toBe(code);
  expect(widget.cancelStep.value).toBe('idle');
  expect(widget.isLive()).toBe(true);
});
