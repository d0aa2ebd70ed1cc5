import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem, type StoreFileSystem } from '../../../server/output/file-system.ts';
import type { OutputStore } from '../../../server/output/store.ts';
import { vouch } from '../../../server/redact/mark.ts';
import { codeOf } from '../../support/code-of.ts';
import { itemsPayload } from '../../support/payloads.ts';
import { filesBelow, setUp } from './support.ts';

const note = (value: string) => vouch(value);

/** The real disk, with work that is done before each operation begins. */
const betweenSteps = (work: () => Promise<void>): StoreFileSystem =>
  new Proxy(nodeFileSystem, {
    get:
      (target, name: keyof StoreFileSystem) =>
      async (...args: never[]) => {
        await work();
        const operation: (...all: never[]) => unknown = target[name];
        return operation(...args);
      },
  });

describe('an output that is kept', () => {
  it('by a person is released by a person alone, also where an agent keeps it, too', async () => {
    const { store, keep } = await setUp({});
    const handle = await keep(itemsPayload([1]));
    const by = async () => (await store.list())[0]?.kept?.by;
    await store.keep(handle, note('of an agent'));
    expect(await by()).toBe('agent');
    await store.keep(handle, undefined, 'person');
    await store.keep(handle, note('of an agent again'));
    expect(await by()).toBe('person');
    expect(await codeOf(store.release(handle))).toBe('invalid_argument');
    await expect(store.release(handle)).rejects.toThrow(
      `keep: a person keeps ${handle}, and only a person can release it.`,
    );
    expect(await store.list()).toMatchObject([{ kept: { note: 'of an agent again', by: 'person' } }]);
    expect(await store.release(handle, 'person')).toMatchObject({ kept: null });
    // From here on it is like any other.
    await store.keep(handle, undefined);
    expect(await store.release(handle, 'person')).toMatchObject({ kept: null });
    await store.keep(handle, undefined);
    expect(await store.release(handle)).toMatchObject({ kept: null });
  });

  it('belongs to an agent where an earlier build kept it, or nothing says who', async () => {
    const { store, keep, home } = await setUp({});
    const file = (handle: string) => join(home, 'output', 'kept', handle, `${handle}.note`);
    const [old, damaged] = [await keep(itemsPayload([1])), await keep(itemsPayload([2]))];
    for (const handle of [old, damaged]) await store.keep(handle, undefined);
    await writeFile(file(old), '{"note":"n","since_ms":5}\n');
    await writeFile(file(damaged), '{"note":');
    expect(await store.release(damaged)).toMatchObject({ kept: null });
    expect(await store.keep(old, undefined)).toMatchObject({ kept: { note: 'n', since_ms: 5, by: 'agent' } });
    expect(await store.release(old)).toMatchObject({ kept: null });
  });

  it.each([
    ['releases it', (store: OutputStore, handle: string) => store.release(handle)],
    ['writes a note', (store: OutputStore, handle: string) => store.keep(handle, note('n'))],
  ])('an agent %s while a person keeps it: it stays with the person, at any step', async (_, act) => {
    const refused: string[] = [];
    for (let step = 1; ; step += 1) {
      const person = await setUp();
      const state = { at: 0, seen: 0 };
      let handle = '';
      const agent = await setUp({
        home: person.home,
        fs: betweenSteps(async () => {
          state.seen += 1;
          if (state.seen === state.at) await person.store.keep(handle, undefined, 'person');
        }),
      });
      handle = await agent.keep(itemsPayload([1]));
      await agent.store.keep(handle, note('of an agent'));
      Object.assign(state, { at: step, seen: 0 });
      refused.push(await codeOf(act(agent.store, handle)));
      const { seen } = state;
      state.at = 0;
      if (seen < step) break;
      expect(await person.store.list(), `step ${step}`).toMatchObject([{ handle, kept: { by: 'person' } }]);
      expect(await codeOf(agent.store.release(handle))).toBe('invalid_argument');
      await person.store.release(handle, 'person');
      expect((await filesBelow(person.home)).filter((path) => path.includes('kept'))).toEqual([]);
    }
    expect(refused.at(-1)).toBe('no error');
    expect(refused.length).toBeGreaterThan(5);
  });
});
