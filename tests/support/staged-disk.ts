import { createRequire } from 'node:module';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SPOTS } from './stage.ts';

/*
 * Loaded into a server before its own code (`node --import`): files in the folder `SPILLWAY_TEST_STAGE` control its
 * disk. `Stage` is the other end.
 */

const stage = process.env['SPILLWAY_TEST_STAGE'] ?? '';
const POLL_MS = 5;

const read = (name: string): string => {
  try {
    return readFileSync(join(stage, name), 'utf8');
  } catch {
    return '';
  }
};

const spotOf = (text: string): string | undefined =>
  Object.entries(SPOTS).find(([, mark]) => text.includes(mark))?.[0];

/** Does what the test wants to happen before a line is written. */
async function before(text: string): Promise<void> {
  const spot = spotOf(text);
  if (spot === undefined) return;
  const what = read(spot);
  if (what === 'full')
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 });
  if (what !== 'hold') return;
  writeFileSync(join(stage, `${spot}.held`), '');
  while (existsSync(join(stage, spot))) await delay(POLL_MS);
  rmSync(join(stage, `${spot}.held`), { force: true });
}

type Write = (this: FileHandle, data: string | Uint8Array, ...rest: readonly unknown[]) => Promise<unknown>;
const handle = await open(process.execPath);
const methods = Object.getPrototypeOf(handle) as Record<'write' | 'writeFile', Write>;
await handle.close();
for (const name of ['write', 'writeFile'] as const) {
  const write = methods[name];
  methods[name] = async function staged(data, ...rest) {
    await before(Buffer.from(data).toString('utf8'));
    return write.call(this, data, ...rest);
  };
}

// Database rows are written synchronously: they can be refused, but not delayed.
type Prepare = (sql: string) => { run: (values: readonly unknown[]) => unknown };
const load: (name: string) => { readonly prototype: { prepare: Prepare } } = createRequire(import.meta.url);
const { prototype } = load('libsql');
const { prepare } = prototype;
Object.assign(prototype, {
  prepare(sql: string) {
    const statement = prepare.call(this, sql);
    const run = statement.run.bind(statement);
    statement.run = (values) => {
      const texts = values.filter((value) => typeof value === 'string');
      const spot = spotOf(texts.join());
      if (spot !== undefined && read(spot) === 'full')
        throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
      return run(values);
    };
    return statement;
  },
});
