import { expect, it } from 'vitest';
import { open, settle } from './scripted-host.ts';

const stored = (change: object): object => ({
  output_handle: 'oh_ABCDEFGHIJKL',
  mime_type: 'text/markdown',
  size_bytes: 100_000,
  item_count: null,
  preview: '# T',
  expires_at: '2026-03-03T09:41:00Z',
  ...change,
});
const part = (offset: number, content: unknown, next_offset: number | null): object => ({
  output_handle: 'oh_ABCDEFGHIJKL',
  offset,
  limit: 65_536,
  returned: 1,
  total: 100_000,
  next_offset,
  content,
  eof: next_offset === null,
});

it('a stored answer of text is read part by part, when asked to', async () => {
  const { host, widget, tell } = await open();
  await tell(stored({}));
  const first = host.next('oc_output_fetch_internal');
  expect(first.args).toMatchObject({ offset: 0, limit: 65_536, format: 'bytes' });
  first.answer(part(0, '# Title\n\nbeginning', 65_536));
  await settle();
  expect(widget.text.leftBytes.value).toBe(34_464);
  expect(widget.title.value).toBe('Title');
  void widget.text.more();
  host.next('oc_output_fetch_internal').answer(part(65_536, ' and end', null));
  await settle();
  expect(widget.text.text.value).toBe('# Title\n\nbeginning and end');
  expect(widget.text.leftBytes.value).toBe(0);
});
