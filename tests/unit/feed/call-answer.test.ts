import { describe, expect, it } from 'vitest';
import { describeAnswer, fitting } from '../../../server/feed/call-answer.ts';
import type { KeptAnswer } from '../../../server/feed/last-answers.ts';
import { fence } from '../../../server/core/calls/boundaries.ts';
import { vouch } from '../../../server/redact/mark.ts';
import { LIMITS } from '../../../shared/limits.ts';

type Content = KeptAnswer['content'];
const text = (value: string): Content[number] => ({ type: 'text', text: vouch(value) });
const of = (content: Content, rest: Partial<KeptAnswer> = {}) =>
  describeAnswer({ ok: true, content, state: {}, ...rest });

describe('an answer as people see it', () => {
  it('is JSON where the tool answers JSON, and text where it answers text that looks like JSON', () => {
    expect(of([text('{"a":[1]}')], { kind: 'json' }).value).toEqual({ a: [1] });
    expect(of([text('[{"a":1}]')], { kind: 'items' }).value).toEqual([{ a: 1 }]);
    expect(of([text('{"a":[1]}')], { kind: 'text' }).value).toBe('{"a":[1]}');
    expect(of([text('123')]).value).toBe('123');
  });

  it('has its notes apart, a sentence each', () => {
    const { value, notes } = of([text('page'), text('One.\nTwo.'), text('Three.')], { kind: 'text' });
    expect({ value, notes }).toEqual({ value: 'page', notes: ['One.', 'Two.', 'Three.'] });
  });

  it('is the page text alone where there are fences around it, and no page can forge one', () => {
    const fenced = of(fence([text('page'), text('A note.')]), { kind: 'text' });
    expect(fenced).toMatchObject({ value: 'page', notes: ['A note.'] });
    const mark = `«untrusted ${'0'.repeat(32)}» page content`;
    expect(of([text(mark), text('A note.')], { kind: 'text' }).value).toBe(mark);
  });

  it('of a picture is the picture', () => {
    const image = { type: 'image', data: vouch('aGk='), mimeType: 'image/png' } as const;
    const answer = of([image, text('A note.')], { kind: 'bytes' });
    expect(answer).toMatchObject({ picture: { mime_type: 'image/png', base64: 'aGk=' }, notes: ['A note.'] });
    expect(answer).not.toHaveProperty('value');
  });

  it('that was stored is its descriptor', () => {
    const descriptor = {
      output_handle: 'oh_ABCDEFGHIJKL',
      mime_type: 'application/json',
      size_bytes: 9,
      item_count: 2,
      preview: '[1,2]',
      expires_at: '2026-11-23T00:00:00Z',
      fetch_with: 'oc_output_fetch',
    } as const;
    const answer = of([text(JSON.stringify(descriptor))], { descriptor });
    expect(answer).toMatchObject({ stored: { handle: 'oh_ABCDEFGHIJKL', item_count: 2, preview: '[1,2]' } });
    expect(answer).not.toHaveProperty('value');
  });

  it('that failed has its error with its details, and the state', () => {
    const error = {
      code: 'run_failed',
      message: vouch('It broke.'),
      hint: vouch('Resume it.'),
      retryable: true,
      body: vouch({ run_id: 'run_1' }),
    } as never;
    const answer = of([text('{"error":{}}')], { ok: false, error, state: vouch({ items: 2 }) });
    expect(answer).toEqual({
      ok: false,
      picture: null,
      notes: [],
      state: { items: 2 },
      stored: null,
      error: { code: 'run_failed', message: 'It broke.', hint: 'Resume it.', body: { run_id: 'run_1' } },
    });
  });

  it('of another server is its object, else its texts, and its first picture', () => {
    const foreign = (block: object): Content[number] => ({ type: 'foreign', block: { ...block } });
    const blocks: Content = [
      foreign({ type: 'text', text: 'one' }),
      foreign({ type: 'image', data: 'aGk=', mimeType: 'image/png' }),
      foreign({ type: 'text', text: 'two' }),
    ];
    expect(of(blocks)).toMatchObject({ value: 'one\n\ntwo', picture: { base64: 'aGk=' } });
    expect(of(blocks, { structured: { a: 1 } }).value).toEqual({ a: 1 });
  });

  it.each([
    ['a value', of([text('"'.repeat(400_000))], { kind: 'text' })],
    ['a state', of([text('ok')], { kind: 'text', state: vouch({ log: 'é'.repeat(300_000) }) })],
  ])('fits in a frame of the bridge, and says what was left out: %s', (_what, answer) => {
    const shown = fitting(answer);
    expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(LIMITS.bridgeFrameBytes - 4_096);
    expect(shown.notes[0]).toContain('too large');
  });
});
