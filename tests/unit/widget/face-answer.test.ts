import { describe, expect, it } from 'vitest';
import { faceAnswerOf } from '../../../server/widgets/common/model/face-answer.ts';
import { open, settle, ten } from './scripted-host.ts';

const stored = {
  output_handle: 'oh_ABCDEFGHIJKL',
  mime_type: 'application/json',
  size_bytes: 40_000,
  item_count: 12,
  preview: '[1',
  expires_at: '2026-03-03T09:41:00Z',
};

describe('what a face is given', () => {
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
