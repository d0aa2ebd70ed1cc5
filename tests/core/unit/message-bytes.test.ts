import { expect, it } from 'vitest';
import { MessageBytes } from '../../../server/core/message-bytes.ts';

it('reads lines whatever the chunks, and after one that is too large', () => {
  const bytes = Buffer.from(`a\n\n${'x'.repeat(50)}\nžluťoučký\nlast`);
  for (const size of [1, 2, 3, 7, 100]) {
    const messages = new MessageBytes(20);
    const found: unknown[] = [];
    for (let at = 0; at < bytes.length; at += size)
      for (const { text, isTooLarge } of messages.lines(bytes.subarray(at, at + size)))
        found.push(isTooLarge ? null : text);
    expect(found, `chunks of ${size}`).toEqual(['a', '', null, 'žluťoučký']);
  }
});

it('keeps the edges of a message that is too large, and all of the next one', () => {
  const messages = new MessageBytes(20_000);
  messages.push(Buffer.from('begin'));
  for (let sent = 0; sent < 100; sent += 1) messages.push(Buffer.alloc(1_000, 'x'));
  messages.push(Buffer.from('end'));
  const { text, isTooLarge } = messages.take();
  expect(isTooLarge).toBe(true);
  expect(text).toMatch(/^beginx{8184}end$/);
  messages.push(Buffer.from('next'));
  expect(messages.take()).toEqual({ text: 'next', isTooLarge: false });
});
