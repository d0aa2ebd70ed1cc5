import { expect, it } from 'vitest';
import type { HostAbilities, HostListener, WidgetHost } from '../../../extension/widgets/common/host.ts';
import { readAnswer, type ToolAnswer } from '../../../extension/widgets/common/model/answer.ts';
import { ToolWidget } from '../../../extension/widgets/common/model/tool-widget.ts';

type Args = Readonly<Record<string, unknown>>;

/** A scripted host: its requests wait until the test answers. */
class ScriptedHost implements WidgetHost {
  readonly calls: { readonly name: string; readonly args: Args; answer(raw: unknown): void; fail(): void }[] =
    [];
  readonly abilities: HostAbilities = { callTools: true, openLinks: true };
  listener: HostListener | undefined;

  async start(listener: HostListener): Promise<HostAbilities> {
    this.listener = listener;
    return this.abilities;
  }

  callTool(name: string, args: Args): Promise<ToolAnswer> {
    return new Promise((resolve, reject) => {
      this.calls.push({
        name,
        args,
        answer: (raw) => resolve(readAnswer({ structuredContent: raw })),
        fail: () => reject(new Error('out of reach')),
      });
    });
  }

  readonly openLink = () => Promise.reject(new Error('blocked'));
  readonly reportHeight = (): void => undefined;
  readonly savedState = (): unknown => null;
  readonly saveState = (): void => undefined;

  next(name: string): (typeof this.calls)[number] {
    const call = this.calls.shift();
    expect(call?.name).toBe(name);
    if (call === undefined) throw new Error('Nothing was called.');
    return call;
  }
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

async function open() {
  const host = new ScriptedHost();
  const widget = new ToolWidget(host, {
    locale: 'en',
    isHidden: () => false,
    onVisibility: () => undefined,
    setTimer: () => () => undefined,
  });
  await widget.start();
  const tell = async (raw: unknown): Promise<void> => {
    host.listener?.onAnswer(readAnswer({ structuredContent: raw }));
    await settle();
  };
  return { host, widget, tell };
}

const run = (change: object = {}): object => ({
  run_id: 'run_ABCDEFGHIJKL',
  status: 'running',
  progress: { done: 0, queued: 3, failed: 0, rate_per_second: 0 },
  ...change,
});

type Call = ScriptedHost['calls'][number];
const OTHER = 'run_BCDEFGHIJKLM';
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
  expect(widget.isLive.value).toBe(true);
  expect(widget.cancelStep.value).toBe('asked');
  expect(widget.failure.value).toBeNull();
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
  expect(widget.isLive.value).toBe(true);
});

const card = (name: string): object => ({ name, title: name, description: 'It.', parameters: [], steps: 1 });
const list = (...names: string[]): object => ({ recipes: names.map(card), total: names.length });

it('recipes are searched, and an earlier answer that comes late is dropped', async () => {
  const { host, widget, tell } = await open();
  await tell(list('one'));
  void widget.recipes.search('first');
  void widget.recipes.search('');
  const first = host.next('recipe_search_internal');
  const second = host.next('recipe_search_internal');
  expect([first.args, second.args]).toEqual([{ query: 'first', limit: 50 }, { limit: 50 }]);
  second.answer(list('two'));
  first.fail();
  await settle();
  expect(widget.recipes.shelf.value).toMatchObject({ found: list('two'), isBusy: false });
  expect(widget.failure.value).toBeNull();
});

const output_handle = 'oh_ABCDEFGHIJKL';
const expires_at = '2026-03-03T09:41:00Z';
const TEXT = { output_handle, mime_type: 'text/markdown', size_bytes: 100_000, item_count: null };
const PART = { output_handle, limit: 65_536, returned: 1, total: 100_000 };
const part = (offset: number, content: unknown, next_offset: number | null): object => {
  return { ...PART, offset, next_offset, content, eof: next_offset === null };
};

it('a stored answer of text is read part by part, when asked to, and none is shown twice', async () => {
  const { host, widget, tell } = await open();
  // Some hosts tell an answer twice.
  for (const _ of [1, 2]) await tell({ ...TEXT, preview: '# T', expires_at });
  for (const _ of [1, 2]) {
    const first = host.next('oc_output_fetch_internal');
    expect(first.args).toMatchObject({ offset: 0, limit: 65_536, format: 'bytes' });
    first.answer(part(0, '# Title\n\nbeginning', 65_536));
    await settle();
  }
  expect(widget.text.leftBytes.value).toBe(34_464);
  expect(widget.title.value).toBe('Title');
  void widget.text.more();
  host.next('oc_output_fetch_internal').fail();
  await settle();
  for (const _ of [1, 2]) {
    widget.retry();
    host.calls.shift()?.answer(part(65_536, ' and end', null));
    await settle();
    expect(widget.text.text.value).toBe('# Title\n\nbeginning and end');
  }
  expect(widget.text.leftBytes.value).toBe(0);
});
