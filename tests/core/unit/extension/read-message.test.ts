import { beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { readMessage } from '../../../../extension/core/ports/read-message.ts';

const Part = z.object({ id: z.int(), text: z.string() });
const warn = vi.spyOn(console, 'warn');
beforeEach(() => void warn.mockReset().mockImplementation(() => undefined));

it('returns a message that is well formed, the id of a malformed one, and nothing when it has none', () => {
  expect(readMessage('port.a', Part, { id: 1, text: 'x' })).toEqual({ id: 1, message: { id: 1, text: 'x' } });
  expect(warn).not.toHaveBeenCalled();
  expect(readMessage('port.b', Part, { id: 2, text: 5 })).toEqual({ id: 2, message: null });
  for (const data of [null, 7, {}, { id: 'x' }]) expect(readMessage('port.b', Part, data)).toBeNull();
});

it('logs the first malformed message of each port, without what it holds', () => {
  for (const port of ['port.c', 'port.d', 'port.c'])
    for (let count = 0; count < 50; count += 1) readMessage(port, Part, { text: ['hunter2'] });
  const lines = warn.mock.calls.map(([line]) => String(line));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('port.c');
  expect(lines[0]).toContain('text (invalid_type)');
  expect(lines.join()).not.toContain('hunter2');
});
