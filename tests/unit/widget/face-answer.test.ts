import { describe, expect, it } from 'vitest';
import {
  faceAnswerOf,
  faceCallOf,
  faceToolOf,
  itemsAnswerOf,
} from '../../../server/widgets/common/model/face-answer.ts';
import { open, run, ScriptedHost, settle, ten } from './scripted-host.ts';

const stored = {
  output_handle: 'oh_ABCDEFGHIJKL',
  mime_type: 'application/json',
  size_bytes: 40_000,
  item_count: 12,
  preview: '[1',
  expires_at: '2026-03-03T09:41:00Z',
};

describe('what a face is given', () => {
  it('of a failure is why, its details, and what there was until then', async () => {
    const { widget, tell } = await open();
    const error = { code: 'page_crashed', message: 'It crashed.', hint: 'Again.', retryable: false };
    await tell({ error: { ...error, body: { tab: 'b1:1' } }, state: { committed: 2 } });
    expect(faceAnswerOf(widget)).toMatchObject({
      ok: false,
      error: { code: 'page_crashed', message: 'It crashed.', hint: 'Again.', body: { tab: 'b1:1' } },
      state: { committed: 2 },
    });
    expect(faceCallOf(widget, 'crawl').state).toBe('failed');
  });

  it('of a failed crawl is its run, and the items that it had committed', async () => {
    const { host, widget, tell, ring } = await open();
    const failed = run({ status: 'failed', error: { code: 'page_crashed', message: 'It crashed.' } });
    await tell({ error: { code: 'page_crashed' }, state: failed });
    await ring();
    host.next('run_status_internal').answer(run({ status: 'failed', tool: 'crawl', items: 2 }));
    await settle();
    host
      .next('run_output_internal')
      .answer({ offset: 0, content: ['a', 'b'], total: 2, next_offset: null, eof: true });
    await settle();
    expect(faceToolOf(widget, 'extract_data')).toBe('run_status');
    // Its tool is in the head of the card.
    expect(faceAnswerOf(widget).value).toMatchObject({ status: 'failed', items: 2, tool: undefined });
    expect(itemsAnswerOf(widget).value).toMatchObject({ content: ['a', 'b'], total: 2, eof: true });
  });

  it('of a stored answer is its beginning, until its items are read', async () => {
    const { host, widget, tell } = await open();
    await tell(stored);
    expect(faceAnswerOf(widget)).toMatchObject({
      value: undefined,
      stored: { preview: '[1', expiresAt: Date.parse(stored.expires_at) },
    });
    host.next('oc_output_fetch_internal').answer({ offset: 0, content: ten(0), total: 12, next_offset: 10 });
    await settle();
    expect(faceAnswerOf(widget)).toMatchObject({ value: ten(0), stored: { preview: null } });
  });
});

it('the shape of an answer says whose it is where the host does not', async () => {
  const { widget, tell } = await open(new ScriptedHost({ callTools: false, openLinks: false }));
  const request = { request: { method: 'GET', url: 'https://a.test/' }, response: { status: 200 } };
  const shapes: readonly (readonly [object, string])[] = [
    [{ items: [{ a: 1 }] }, 'extract_data'],
    [{ items: [request] }, 'network'],
    [
      { output_handle: 'oh_ABCDEFGHIJKL', offset: 0, returned: 1, total: 1, next_offset: null, content: [1] },
      'oc_output_fetch',
    ],
    [run(), 'run_status'],
  ];
  for (const [value, tool] of shapes) {
    await tell(value);
    expect(faceToolOf(widget, 'extract_data')).toBe(tool);
  }
});
