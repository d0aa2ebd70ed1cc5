import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { onTestFinished } from 'vitest';
import { WARCParser } from 'warcio';

export interface Replay {
  /** Of the archive's page. */
  readonly url: string;
  /** Paths of the records that were served. */
  readonly served: readonly string[];
}

/**
 * Serves a WACZ as a replay does: page list, index, record. Of the records alone: what the archive does not
 * hold is a 404, and addresses of the page's own origin lead back here.
 */
export async function replay(wacz: Buffer): Promise<Replay> {
  const files = unzipSync(wacz);
  const textOf = (name: string): string => Buffer.from(files[name] ?? []).toString('utf8');
  const page = new URL((JSON.parse(textOf('pages/pages.jsonl').split('\n')[1] ?? '') as { url: string }).url);
  const index = new Map(
    textOf('indexes/index.cdx')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line.slice(line.indexOf(' {') + 1)) as Record<string, string>)
      .map((entry) => [entry['url'], entry]),
  );
  const warc = files['archive/data.warc.gz'] ?? new Uint8Array();
  const served: string[] = [];
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const entry = index.get(page.origin + request.url);
    if (entry === undefined) {
      response.writeHead(404).end();
      return;
    }
    const from = Number(entry['offset']);
    const member = gunzipSync(warc.subarray(from, from + Number(entry['length'])));
    void WARCParser.parse([member], {}).then(async (record) => {
      const body = Buffer.from((await record?.readFully(false)) ?? []);
      served.push(request.url ?? '');
      const isText = entry['mime']?.startsWith('text/') ?? false;
      response.writeHead(Number(record?.httpHeaders?.statusCode), {
        'content-type': record?.httpHeaders?.headers.get('content-type') ?? '',
      });
      response.end(isText ? body.toString('utf8').replaceAll(page.origin, origin) : body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${page.pathname}${page.search}`, served };
}
