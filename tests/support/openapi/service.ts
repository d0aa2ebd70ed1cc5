import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { JsonObject } from '../../../shared/base/json.ts';
import { answerAt } from '../file-site.ts';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Service = { readonly url: string; readonly seen: Seen[] };

export async function startService(
  answer: (response: ServerResponse, seen: Seen) => void = (response) => response.end('{"ok":true}'),
): Promise<Service> {
  const seen: Seen[] = [];
  const port = await answerAt(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, body: await text(request) };
    seen.push(one);
    response.setHeader('content-type', 'application/json');
    answer(response, one);
  });
  return { url: `http://127.0.0.1:${port}`, seen };
}

export const documentOf = (paths: JsonObject, more: JsonObject = {}): JsonObject => ({
  openapi: '3.0.3',
  info: { title: 'Test', version: '1' },
  paths,
  ...more,
});
