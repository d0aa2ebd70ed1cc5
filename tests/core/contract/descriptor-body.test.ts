import fc from '../../support/property.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveHttp, type HttpSession } from '../../../server/mcp/http/serve.ts';
import { MODES } from '../../../server/core/modes/loader.ts';
import { OutputDescriptor } from '../../../shared/core/descriptor.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { rounds, sample } from '../../support/depth.ts';
import { openRawSession, rawRequest, type RawAnswer } from '../../support/raw-http.ts';

let text = '';
let coverage: { kind: string; detail: string }[] = [];

type Wired = { readonly server: MemoryServer; readonly http: HttpSession; readonly session: string };

async function wire(mode: string, contentBoundaries: boolean): Promise<Wired> {
  const server = await startMemoryServer({ mode, contentBoundaries });
  server.bridge.addBrowser({
    1: {
      url: `https://a.test/${'"\\'.repeat(200)}`,
      title: 'A',
      content: () => [text],
      get coverage() {
        return coverage;
      },
    },
  });
  const http = await serveHttp({ ...server.faces, port: 0, token: null, onClients: () => undefined });
  return { server, http, session: await openRawSession(http.url) };
}

const ask = (
  { http, session }: Wired,
  id: string | number,
  method: string,
  params: object,
): Promise<RawAnswer> => rawRequest(http.url, { session, body: { jsonrpc: '2.0', id, method, params } });

const READ = { name: 'read_page', arguments: { tab: 'b1:1', output_mode: 'handle' } };

/** The most expensive characters: escaped twice, several bytes, or badly cut. */
const nasty = fc
  .array(
    fc.tuple(
      fc.constantFrom(...'"\\\n\u0000\u001fé漢😀\u2028a', '</script>', '\ud83d\udc68\u200d\ud83d\udc69'),
      fc.integer({ min: 1, max: 3_000 }),
    ),
    { maxLength: 6 },
  )
  .map((runs) => runs.map(([character, times]) => character.repeat(times)).join(''));

const KINDS = MODES.flatMap(({ name }) => [
  [name, 'plain', false] as const,
  [name, 'with content boundaries', true] as const,
]);
// The answers of the last mode are the longest.
describe.each(sample(KINDS.toReversed(), 4))(
  'the whole body of an answer with a handle, mode %s, %s',
  (mode, _how, contentBoundaries) => {
    let wired: Wired;
    beforeAll(async () => void (wired = await wire(mode, contentBoundaries)));
    afterAll(async () => {
      await wired.http.close();
      await wired.server.close();
    });

    it('stays within 4,096 bytes, whatever the page holds', async () => {
      await fc.assert(
        fc.asyncProperty(
          nasty,
          fc.oneof(fc.nat(), fc.string({ maxLength: 64 })),
          fc.array(fc.record({ kind: fc.constant('closed_frame'), detail: fc.string({ maxLength: 500 }) }), {
            maxLength: 30,
          }),
          async (page, id, notes) => {
            text = page;
            coverage = notes;
            const { body, messages } = await ask(wired, id, 'tools/call', READ);
            expect(Buffer.byteLength(body)).toBeLessThanOrEqual(4_096);
            const content = messages[0]?.result?.content ?? [];
            const descriptor = OutputDescriptor.parse(
              JSON.parse(content[contentBoundaries ? 1 : 0]?.text ?? ''),
            );
            expect(Buffer.byteLength(descriptor.preview ?? '')).toBeLessThanOrEqual(2_048);
            expect(content.at(-1)).toMatchObject({
              type: 'resource_link',
              uri: `spillway://output/${descriptor.output_handle}`,
            });
          },
        ),
        { numRuns: rounds(60, 12) },
      );
    });
  },
);
