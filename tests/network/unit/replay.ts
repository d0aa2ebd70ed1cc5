import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RequestAssembler } from '../../../server/libraries/har/assembler.ts';
import { buildEntry } from '../../../server/libraries/har/entry.ts';
import type { Exchange } from '../../../server/libraries/har/exchange.ts';
import { CaptureLine } from '../../../shared/network/lines.ts';

const FILE = join(import.meta.dirname, '../../../fixtures/golden/network/visit.jsonl');

/** The capture of a visit to the `network` site, as the browser sent it (fixtures/record-network.ts). */
export const VISIT: readonly CaptureLine[] = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => CaptureLine.parse(JSON.parse(line)));

export type Replayed = { readonly exchanges: readonly Exchange[]; readonly assembler: RequestAssembler };

/** Feeds lines; the exchanges that ended, then the pending ones, by their ids. */
export function replay(lines: readonly CaptureLine[]): Replayed {
  let lastId = 0;
  const assembler = new RequestAssembler(() => (lastId += 1));
  const exchanges = lines.flatMap((line) => assembler.push(line));
  exchanges.push(...assembler.end());
  return { assembler, exchanges: exchanges.sort((a, b) => a.id - b.id) };
}

export interface HarEntry {
  readonly [key: string]: unknown;
  readonly _id: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly postData?: { readonly mimeType: string; readonly text: string; readonly comment?: string };
  };
  readonly response: {
    readonly status: number;
    readonly redirectURL: string;
    readonly bodySize: number;
    readonly _error?: string;
    readonly cookies: readonly object[];
    readonly content: {
      readonly size: number;
      readonly text?: string;
      readonly encoding?: string;
      readonly comment?: string;
      readonly compression?: number;
    };
  };
}

export function entriesOf({ exchanges, assembler }: Replayed): HarEntry[] {
  return exchanges.map((exchange) => buildEntry(exchange, 'b1:1', assembler.now) as unknown as HarEntry);
}

export function entryAt(entries: readonly HarEntry[], ending: string): HarEntry {
  const [only, ...more] = entries.filter(({ request }) => request.url.endsWith(ending));
  if (only === undefined || more.length > 0) throw new Error(`Not one entry ends with ${ending}.`);
  return only;
}

export function event(method: string, params: object, session: string | null = null): CaptureLine {
  return CaptureLine.parse({ kind: 'event', at_ms: 1_000_000, session, method: `Network.${method}`, params });
}
