import { z } from 'zod';
import type { MethodParams } from '../../shared/core/bridge/methods.ts';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import { each } from '../../shared/base/queue.ts';
import { JsonRecord, parseJson } from '../../shared/base/json-schema.ts';
import type { manifest } from '../../shared/inspect/storage.manifest.ts';
import { State, STATE_UNITS, StorageArea } from '../../shared/inspect/storage.methods.ts';
import { produceJson } from '../core/calls/produce.ts';
import type { ArgsOf, ToolRuntime, ToolRuntimes } from '../core/registry/definition.ts';
import type { Secrets } from '../core/services.ts';
import { askTab, formatTabId, requireTab } from '../core/targets.ts';
import { checkTaken } from '../core/arguments.ts';
import { showFile } from '../core/shown-file.ts';
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import type { ToolServices } from '../core/index.ts';

type StorageArgs = ArgsOf<typeof manifest>;

type StorageServices = Pick<ToolServices, 'bridge' | 'saves' | 'secrets'>;

const TAKES: Readonly<Record<StorageArgs['action'], readonly (keyof StorageArgs)[]>> = {
  list: ['area'],
  set: ['area', 'name', 'value', 'cookie'],
  delete: ['area', 'name', 'all'],
  export: ['file', 'key', 'overwrite'],
  import: ['file', 'key'],
};

type Asking = Parameters<typeof askTab>[0];
type Change = Omit<MethodParams<'storage.change'>, 'tab_id'>;

/** @throws SpillwayError `invalid_argument`, `secret_not_found`, `secret_unavailable` */
async function changeOf(
  { action, area, value, all, cookie, ...given }: StorageArgs,
  secrets: Secrets,
): Promise<Change> {
  const name = given.name ?? null;
  if (area === undefined) throw invalidArgument(`area: ${action} needs one.`);
  if (action === 'set') {
    if (name === null || value === undefined) throw invalidArgument('set takes name and value.');
    if (area !== 'cookies' && Object.keys(cookie).length > 0)
      throw invalidArgument('cookie: is for area "cookies".');
    const { sites } = secrets.resolve(value);
    return { area, name, value: await secrets.read(value), cookie, sites: [...(sites ?? [])] };
  }
  if (all !== (name === null)) throw invalidArgument('delete takes either name, or all: true.');
  return { area, name, value: null, cookie, sites: [] };
}

/**
 * The file and the key of an export or import.
 * @throws SpillwayError `invalid_argument`, `secret_not_found`, `secret_unavailable`
 */
async function sealOf(
  { action, file, key = '' }: StorageArgs,
  secrets: Secrets,
): Promise<{ readonly file: string; readonly key: string }> {
  if (file === undefined) throw invalidArgument(`file: ${action} needs one.`);
  const { sites } = secrets.resolve(key);
  if (sites === null) throw invalidArgument(`key: ${action} needs one of --secrets, as secret:NAME.`);
  return { file, key: await secrets.read(key) };
}

/** `storage`: the entries that a page stores, changes to them, and a sealed file of all of them. */
export function createRuntimes({ bridge, saves, secrets }: StorageServices): ToolRuntimes {
  const actions = {
    list: ({ area }: StorageArgs, on: Asking, tab_id: number) =>
      askTab(on, 'storage.list', { tab_id, areas: area === undefined ? StorageArea.options : [area] }),
    change: async (args: StorageArgs, on: Asking, tab_id: number) =>
      askTab(on, 'storage.change', { tab_id, ...(await changeOf(args, secrets)) }),
    export: async (args: StorageArgs, on: Asking, tab_id: number) => {
      const { file, key } = await sealOf(args, secrets);
      const { url, state } = await askTab(on, 'storage.export', { tab_id });
      const text = JSON.stringify({ origin: new URL(url).origin, ...state });
      const sealed = each([seal(text, key)]);
      const { path } = await saves.write(sealed, { name: file, overwrite: args.overwrite });
      const { cookies, local, session } = state;
      return { url, saved_as: path, exported: cookies.length + local.length + session.length };
    },
    import: async (args: StorageArgs, on: Asking, tab_id: number) => {
      const { file, key } = await sealOf(args, secrets);
      const sealed = await saves.read(file, 4 * STATE_UNITS);
      const text = unseal(sealed, key);
      const { data } = Exported.safeParse(text === null ? null : parseJson(text));
      if (data === undefined)
        throw new SpillwayError('storage_refused', `${file}: ${args.key ?? ''} does not open it as a state.`);
      const { origin, ...state } = data;
      on.context.sends({ [file]: showFile(sealed) });
      return askTab(on, 'storage.import', { tab_id, origin, state });
    },
  };
  const storage: ToolRuntime<StorageArgs> = async (args, context) => {
    const { action, tab: _tab, ...given } = args;
    checkTaken(action, { ...given, cookie: Object.keys(args.cookie).length > 0 }, TAKES);
    const target = await requireTab(bridge, args, context);
    const act = actions[action === 'set' || action === 'delete' ? 'change' : action];
    const { url, ...facts } = await act(args, { bridge, target, context }, target.tabId);
    const tab = formatTabId(target);
    const value: JsonObject = JsonRecord.parse({ tab, url, ...facts });
    return { ...produceJson(value, { tab, url }), untrustedFrom: () => url };
  };
  return { storage };
}

const Exported = State.extend({ origin: z.string() });

const CIPHER = 'aes-256-gcm';
const MAGIC = Buffer.from('SPILLWAY-STATE-1\n');
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = MAGIC.length + SALT_BYTES + NONCE_BYTES + TAG_BYTES;

const deriveKey = (secret: string, salt: Buffer): Buffer =>
  scryptSync(secret, salt, 32, { N: 2 ** 15, maxmem: 2 ** 26 });

/** A text that only the secret's owner can read: AES-256-GCM, with a key by scrypt. */
export function seal(text: string, secret: string): Buffer {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const cipher = createCipheriv(CIPHER, deriveKey(secret, salt), nonce).setAAD(MAGIC);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([MAGIC, salt, nonce, cipher.getAuthTag(), body]);
}

/** The text of {@link seal}; null for a wrong secret, and for any other file. */
export function unseal(sealed: Buffer, secret: string): string | null {
  if (sealed.length < HEAD_BYTES || !sealed.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  let at = MAGIC.length;
  const take = (bytes: number): Buffer => sealed.subarray(at, (at += bytes));
  const [salt, nonce, tag] = [take(SALT_BYTES), take(NONCE_BYTES), take(TAG_BYTES)];
  const decipher = createDecipheriv(CIPHER, deriveKey(secret, salt), nonce).setAAD(MAGIC).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(at)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
