import type { JsonValue } from '../../../shared/json.ts';

interface Product {
  readonly version: string;
  readonly browser: { readonly name: string; readonly version: string };
}

/** A HAR 1.2 document of entries, an entry a line. */
export async function* harText(
  entries: AsyncIterable<JsonValue>,
  { version, browser }: Product,
): AsyncGenerator<string, void> {
  const creator = { name: 'Spillway', version };
  const head = JSON.stringify({ version: '1.2', creator, browser, pages: [] });
  yield `{"log":${head.slice(0, -1)},"entries":[`;
  let lead = '\n';
  for await (const entry of entries) {
    yield lead + JSON.stringify(entry);
    lead = ',\n';
  }
  yield '\n]}}\n';
}
