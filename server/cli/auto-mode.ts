import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { parseAs } from '../../shared/json-schema.ts';

const UI_EXTENSION = 'io.modelcontextprotocol/ui';
/** No known client sends a longer first message. */
const FIRST_BYTES = 1024 * 1024;

const Capabilities = z.object({ extensions: z.object({ [UI_EXTENSION]: z.looseObject({}) }) });
/** `initialize` declares capabilities once, a request of 2026-07-28 in its `_meta`. */
const Opening = z.object({
  params: z.union([
    z.object({ capabilities: Capabilities }),
    z.object({ _meta: z.object({ 'io.modelcontextprotocol/clientCapabilities': Capabilities }) }),
  ]),
});

/**
 * `apps` if a client's first message declares MCP Apps, else `default`. The message can still be read
 * afterwards.
 */
export async function modeOfClient(input: Readable): Promise<'apps' | 'default'> {
  const chunks: Buffer[] = [];
  let text = '';
  while (!text.includes('\n') && text.length < FIRST_BYTES && !input.readableEnded) {
    const chunk: unknown = input.read();
    if (chunk instanceof Buffer) {
      chunks.push(chunk);
      text += chunk.toString('latin1');
    } else await Promise.race([once(input, 'readable'), once(input, 'end'), once(input, 'close')]);
    if (input.destroyed) break;
  }
  if (chunks.length > 0 && !input.readableEnded) input.unshift(Buffer.concat(chunks));
  return parseAs(Opening, text.slice(0, text.indexOf('\n'))) !== null ? 'apps' : 'default';
}
