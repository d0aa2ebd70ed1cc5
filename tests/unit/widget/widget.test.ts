import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../server/widgets/common/model/answer.ts';
import { messageOfError } from '../../../server/widgets/common/model/said.ts';
import { open, run, ScriptedHost, settle, ten } from './scripted-host.ts';

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

describe('a run', () => {
  it('is asked for its status, then for its first page once it has items', async () => {
    const { host, widget, tell, ring } = await open();
    await tell(run());
    await ring();
    const asked = host.next('run_status_internal');
    expect(asked.args).toEqual({ run_id: 'run_ABCDEFGHIJKL' });
    asked.answer(
      run({ tool: 'crawl', items: 12, progress: { done: 12, queued: 3, failed: 0, rate_per_second: 1 } }),
    );
    await settle();
    expect(widget.toolName.value).toBe('crawl');
    const first = host.next('run_output_internal');
    expect(first.args).toEqual({ run_id: 'run_ABCDEFGHIJKL', offset: 0, limit: 10 });
    first.answer(page(0, ten(0), 12));
    await settle();
    expect(widget.items.page.value).toMatchObject({ offset: 0, total: 12, nextOffset: 10 });
  });

  it('keeps what a full answer said when a short one follows', async () => {
    const { widget, tell } = await open();
    await tell(run({ tool: 'crawl', items: 4, started_at: '2026-03-02T09:41:00Z' }));
    await tell(run({ status: 'completed' }));
    expect(widget.shown.value).toMatchObject({ run: { status: 'completed', items: 4, tool: 'crawl' } });
  });

  it('is asked for nothing where the host calls no tools', async () => {
    const { host, widget, tell } = await open(new ScriptedHost({ callTools: false, openLinks: false }));
    await tell(run());
    expect(widget.poll.value).toBeNull();
    expect(host.calls).toEqual([]);
    expect(widget.linkOpener()).toBeNull();
  });

  it('that is known no more is asked for no longer, and its error is shown', async () => {
    const { host, widget, tell, ring } = await open();
    await tell(run());
    await ring();
    host.next('run_status_internal').answer({ error: 'x' });
    await settle();
    expect(widget.poll.value?.phase).toBe('ended');
    expect(widget.failure.value).toMatchObject({ code: 'error' });
  });

  it('whose status is no longer allowed is not polled again', async () => {
    const { host, widget, tell, ring } = await open();
    await tell(run());
    await ring();
    host.next('run_status_internal').answer(pending('run_status_internal'));
    await settle();
    expect(widget.poll.value?.phase).toBe('ended');
    expect(widget.failure.value).toEqual({ code: 'pending', message: '' });
    expect(messageOfError({ code: 'pending', message: '' }, widget.words.value)).toContain(
      'waiting for approval',
    );
    expect(widget.shown.value.kind).toBe('run');
  });
});

describe('an answer that is not a run', () => {
  it('is a failure by its shape, and a later one takes its place', async () => {
    const { widget, tell } = await open();
    await tell(pending('crawl'));
    expect(widget.shown.value).toMatchObject({ kind: 'pending' });
    expect(widget.toolName.value).toBe('crawl');
    expect(widget.says.value).toBe('Waiting for approval');
    const error = { code: 'call_denied', message: 'crawl was refused.', hint: 'Ask.', retryable: false };
    await tell({ error });
    expect(widget.shown.value).toEqual({ kind: 'error', error, state: null });
    expect(widget.says.value).toBe('Failed: crawl was refused.');
    await tell(run());
    expect(widget.shown.value.kind).toBe('run');
  });

  it('is said to be one where the host hands over nothing', async () => {
    const { host, widget } = await open();
    host.listener?.onAnswer(readAnswer({}));
    expect(widget.shown.value.kind).toBe('nothing');
    expect(widget.says.value).toBe('Answered');
  });
});

describe('pages', () => {
  async function atFirstPage(): ReturnType<typeof open> {
    const bench = await open();
    await bench.tell(run());
    await bench.ring();
    bench.host.next('run_status_internal').answer(run({ status: 'completed', items: 30 }));
    await settle();
    bench.host.next('run_output_internal').answer(page(0, ten(0), 30));
    await settle();
    return bench;
  }

  it('go forward and back, are announced to a screen reader, and their place is kept', async () => {
    const { host, widget } = await atFirstPage();
    void widget.turn('next');
    host.next('run_output_internal').answer(page(10, ten(10), 30));
    await settle();
    expect(widget.says.value).toBe('Items 11–20 of 30');
    expect(host.saved).toEqual([{ trail: [0, 10] }]);
    void widget.turn('previous');
    expect(host.next('run_output_internal').args).toMatchObject({ offset: 0 });
  });

  it('stay where they are when the next one does not come, and say so', async () => {
    const { host, widget } = await atFirstPage();
    void widget.turn('next');
    host.next('run_output_internal').fail();
    await settle();
    expect(widget.items.page.value).toMatchObject({ offset: 0 });
    expect(widget.items.trail.value).toEqual([0]);
    expect(widget.failure.value?.code).toBe('not_reached');
    widget.retry();
    expect(widget.failure.value).toBeNull();
  });

  it('are asked for again when the last one did not come', async () => {
    const { host, widget, tell, ring } = await open();
    await tell(run());
    await ring();
    host.next('run_status_internal').answer(run({ items: 3 }));
    await settle();
    host.next('run_output_internal').answer(page(0, [1, 2, 3], 3, { next_offset: null }));
    await settle();
    await ring();
    host.next('run_status_internal').answer(run({ status: 'completed', items: 30 }));
    await settle();
    host.next('run_output_internal').fail();
    await settle();
    expect(widget.failure.value?.code).toBe('not_reached');
    widget.retry();
    host.next('run_output_internal').answer(page(0, ten(0), 30));
    await settle();
    expect(widget.failure.value).toBeNull();
    expect(widget.items.page.value).toMatchObject({ total: 30 });
  });

  it('of an answer that another has replaced are dropped', async () => {
    const { host, widget, tell } = await atFirstPage();
    void widget.turn('next');
    const late = host.next('run_output_internal');
    await tell(run({ run_id: 'run_BCDEFGHIJKLM' }));
    late.answer(page(10, ten(10), 30));
    await settle();
    expect(widget.items.page.value).toBeNull();
    expect(widget.shown.value).toMatchObject({ run: { run_id: 'run_BCDEFGHIJKLM' } });
  });
});

describe('a late answer', () => {
  it('of a cancel leaves the run that is shown by then', async () => {
    const { host, widget, tell } = await open();
    await tell(run());
    widget.askToCancel(true);
    void widget.cancel();
    const cancel = host.next('run_cancel_internal');
    await tell(run({ run_id: 'run_BCDEFGHIJKLM' }));
    widget.askToCancel(true);
    cancel.answer(run({ status: 'cancelled', items: 3 }));
    await settle();
    expect(widget.shown.value).toMatchObject({ run: { run_id: 'run_BCDEFGHIJKLM', status: 'running' } });
    expect(widget.isLive()).toBe(true);
    expect(widget.cancelStep.value).toBe('asked');
  });

  it('of a cancel that did not arrive is not a failure of another run', async () => {
    const { host, widget, tell } = await open();
    await tell(run());
    widget.askToCancel(true);
    void widget.cancel();
    await tell(run({ run_id: 'run_BCDEFGHIJKLM' }));
    host.next('run_cancel_internal').fail();
    await settle();
    expect(widget.failure.value).toBeNull();
  });

  it('of a status never sets a run going that has ended', async () => {
    const { host, widget, tell, ring } = await open();
    await tell(run());
    await ring();
    const status = host.next('run_status_internal');
    widget.askToCancel(true);
    void widget.cancel();
    host.next('run_cancel_internal').answer(run({ status: 'cancelled' }));
    await settle();
    status.answer(run({ items: 1 }));
    await settle();
    expect(widget.shown.value).toMatchObject({ run: { status: 'cancelled' } });
    expect(widget.isLive()).toBe(false);
  });
});

describe('cancel', () => {
  it('does nothing before it was asked for, and shows how the run ended', async () => {
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

  it('that did not arrive leaves the run going', async () => {
    const { host, widget, tell } = await open();
    await tell(run());
    widget.askToCancel(true);
    void widget.cancel();
    host.next('run_cancel_internal').fail();
    await settle();
    expect(widget.failure.value?.code).toBe('not_reached');
    expect(widget.cancelStep.value).toBe('idle');
    expect(widget.isLive()).toBe(true);
  });

  it('that waits for a person says so, and leaves the run going', async () => {
    const { host, widget, tell } = await open();
    await tell(run());
    widget.askToCancel(true);
    void widget.cancel();
    host.next('run_cancel_internal').answer(pending('run_cancel_internal'));
    await settle();
    expect(widget.failure.value?.code).toBe('pending');
    expect(widget.isLive()).toBe(true);
  });
});

it('a link that the host does not open is a failure that names it', async () => {
  const { widget } = await open();
  widget.linkOpener()?.('https://a.test/');
  await settle();
  expect(widget.failure.value?.message).toContain('https://a.test/');
});

it('a host that does not answer leaves the widget alone, and says so', async () => {
  const host = new ScriptedHost();
  host.start = () => Promise.reject(new Error('no answer'));
  const { widget } = await open(host);
  expect(widget.link.value).toBe('alone');
});

it('speaks the language of the host from the moment that it says so', async () => {
  const { host, widget, tell } = await open();
  await tell(pending('crawl'));
  expect(widget.title.value).toBe('Crawl');
  host.listener?.onLocale('zh-Hans-CN');
  expect(widget.title.value).toBe('爬取');
  expect(widget.language.value).toBe('zh-CN');
  host.listener?.onLocale('en');
});
