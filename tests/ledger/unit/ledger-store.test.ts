import { beforeEach, expect, it, vi } from 'vitest';
import { LedgerStore } from '../../../extension/ui/frame/home-lists.ts';
import { Choices } from '../../../extension/ui/frame/lists.tsx';
import { ended } from '../../ui/unit/lines.ts';

beforeEach(() => void vi.useFakeTimers());

it('the ledger is read while it is shown, of all homes in one list, newest first', async () => {
  let reads = 0;
  let fails = false;
  const read = async ({ home }: { readonly home: string }) => {
    reads += 1;
    if (fails) throw new Error('It cannot be read.');
    const lines = [2, 1].map((seq) => ({
      ...{ chain: home, seq, kind: 'act' },
      ts: new Date(seq * 1_000 + home.length).toISOString(),
    }));
    return { lines, next: null, is_intact: true, is_shorter: false, problems: [] };
  };
  const store = new LedgerStore(read, async () => false);
  const seqs = () => store.rows.value.map(({ home, line }) => `${home} ${line.seq}`);
  const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  const has = (...homes: string[]): Promise<unknown> => (store.setHomes(homes), settled());
  await has('a', 'bb');
  expect(reads).toBe(0);
  store.show();
  await settled();
  expect(seqs()).toEqual(['bb 2', 'a 2', 'bb 1', 'a 1']);
  expect([store.state.value, store.verdict.value]).toEqual(['ready', 'intact']);
  await has('a');
  expect(seqs()).toEqual(['a 2', 'a 1']);
  store.take([ended(1)]);
  await settled();
  expect(reads).toBe(4);
  await has();
  expect([store.state.value, store.verdict.value]).toEqual(['ready', null]);
  await has('a');
  fails = true;
  await store.refresh();
  expect([store.state.value, store.verdict.value]).toEqual(['failed', null]);
});

it('a filter by an empty name is not the choice of all', () => {
  const [of, onChange] = [[['agent', 'All', [['', '']]]] as const, vi.fn()];
  const shown = Choices({ words: { agent: 'Agent' }, filter: { agent: '' }, of, onChange });
  const [{ props }] = shown.props.children;
  expect(props.options).toContainEqual([props.value, '“”']);
  for (const [value] of props.options) props.onChange(value);
  expect(onChange.mock.calls).toEqual([undefined, ''].map((agent) => ['agent', agent]));
});
