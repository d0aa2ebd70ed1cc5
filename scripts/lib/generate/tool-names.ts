import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MANIFESTS } from '../../../shared/tools/index.ts';
import { formatAs } from '../format.ts';
import type { Generated } from './indexes.ts';

const PATH = 'shared/tools/names.generated.json';

/**
 * What pages need to know of each tool, as plain data: a manifest brings its schemas, and with them all of Zod.
 * The indexes of this checkout have to be fresh.
 */
export async function makeToolNames(root: string): Promise<Generated> {
  const module: unknown = await import(pathToFileURL(join(root, 'shared/tools/index.ts')).href);
  const { MANIFESTS: manifests } = module as { MANIFESTS: typeof MANIFESTS };
  const rows = manifests.map(({ name, identifier, api, title, flags }) => [
    name,
    { identifier, api, title, isHidden: flags.hidden },
  ]);
  const text = JSON.stringify(Object.fromEntries(rows));
  return new Map([[PATH, await formatAs(root, PATH, text)]]);
}
