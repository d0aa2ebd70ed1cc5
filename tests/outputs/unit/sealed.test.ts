import { expect, it } from 'vitest';
import { createOutputPolicy } from '../../../server/core/output/policy.ts';
import { createSealer } from '../../../server/core/output/serialise.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { MIME } from '../../../shared/base/mime.ts';
import { OutputDescriptor } from '../../../shared/core/descriptor.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { clean, type CleanBytes } from '../../../server/libraries/redaction/clean.ts';
import { vouch, vouchBytes } from '../../support/clean.ts';
import type { Deliverable } from '../../../server/core/result.ts';
import { allItems, deliverOptions, filesBelow, setUp } from './support.ts';

const items: JsonValue[] = [{ page: 1, text: 'é "quoted"' }, null, 'three'];
const FROM = { tool: 'crawl', untrustedFrom: clean`https://shop.test/` } as const;

async function* serialised(values: readonly JsonValue[]): AsyncGenerator<CleanBytes> {
  for (const value of values) yield vouchBytes(Buffer.from(JSON.stringify(value)));
}

/** Items that are already in the store, and must not be read again for a handle. */
function sealedAs(handle: string, values: readonly JsonValue[]) {
  let reads = 0;
  const produced: Deliverable = {
    payload: {
      kind: 'items',
      mimeType: MIME.json,
      items: (async function* () {
        reads += 1;
        yield* values.map((value) => vouch(value));
      })(),
    },
    outcome: () => ({ state: { run_id: 'run_A' }, coverage: [] }),
    sealed: handle,
  };
  return { produced, reads: () => reads };
}

it.each([[items], [[]]])('sealed items are stored as any other, with their origin: %j', async (values) => {
  const { store, home, policy, fetch, pager } = await setUp();
  const sealed = await createSealer(store).seal(FROM, serialised(values));
  const handle = sealed.output_handle;
  expect(await pager.facts(handle)).toMatchObject({ untrustedFrom: 'https://shop.test/' });
  expect(await allItems(fetch, handle)).toEqual(values);
  const before = await filesBelow(home);
  const { produced, reads } = sealedAs(handle, values);
  const delivered = await policy.deliver(produced, deliverOptions({ mode: 'handle' }));
  expect({ ...OutputDescriptor.parse(delivered.descriptor), preview: null }).toEqual(sealed);
  expect(sealed).toMatchObject({ item_count: values.length, mime_type: MIME.json });
  const whole = await policy.deliver(sealedAs(handle, values).produced, deliverOptions());
  const [text] = whole.content;
  expect(delivered.descriptor?.preview).toBe(text.type === 'text' ? text.text : '');
  expect(delivered.descriptor?.size_bytes).toBe(Buffer.byteLength(text.type === 'text' ? text.text : ''));
  expect(delivered.outcome.state).toEqual({ run_id: 'run_A' });
  expect(reads()).toBe(0);
  expect(await filesBelow(home)).toEqual(before);
});

it.each(['output_handle_not_found', 'store_corrupt'] as const)(
  'sealed items that were removed since they were sealed (%s) are delivered from the payload',
  async (code) => {
    const { store, fetch } = await setUp();
    const open = () => Promise.reject(new SpillwayError(code, 'Evicted by another output.'));
    const policy = createOutputPolicy({ create: (...made) => store.create(...made), open });
    const { output_handle: handle } = await createSealer(store).seal(FROM, serialised(items));
    const whole = await policy.deliver(sealedAs(handle, items).produced, deliverOptions());
    expect(JSON.parse(whole.content[0].type === 'text' ? whole.content[0].text : '')).toEqual(items);
    const { produced } = sealedAs(handle, items);
    const { descriptor } = await policy.deliver(produced, deliverOptions({ mode: 'handle' }));
    expect(descriptor?.output_handle).not.toBe(handle);
    expect(await allItems(fetch, descriptor?.output_handle ?? '')).toEqual(items);
  },
);
