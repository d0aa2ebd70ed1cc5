import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

export interface CallAnswer {
  readonly isError: boolean;
  /** `content[0].text`: the payload, the descriptor or the error. */
  readonly text: string;
  readonly notes: string;
  readonly raw: CallToolResult;
  json<T>(): T;
  code(): string | undefined;
}

/** Only a test's own time limit ends its calls: the client's minute is shorter than some servers may take. */
const CALL_MS = 180_000;

export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<CallAnswer> {
  const options = { timeout: CALL_MS, ...(signal && { signal }) };
  const raw = (await client.callTool({ name, arguments: args }, undefined, options)) as CallToolResult;
  const texts = raw.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`));
  const text = texts[0] ?? '';
  return {
    isError: raw.isError === true,
    text,
    notes: texts.slice(1).join('\n'),
    raw,
    json: <T>() => JSON.parse(text) as T,
    code: () =>
      raw.isError === true ? (JSON.parse(text) as { error: { code: string } }).error.code : undefined,
  };
}
