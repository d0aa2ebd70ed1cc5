import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StructuredTool, StructureWorld } from './structure.ts';

export type LoadedLists = Pick<StructureWorld, 'listed' | 'panel' | 'runtimes' | 'workers'>;

/** The structure of a checkout: its folders, and what its tables name. */
export async function readStructureWorld(root: string, lists: LoadedLists): Promise<StructureWorld> {
  const shared = readRoom(root, 'shared/tools');
  return {
    ...lists,
    written: await readManifests(root, shared),
    shared,
    server: readRoom(root, 'server/tools'),
    extension: readRoom(root, 'extension/tools'),
    methods: importedFolders(root, 'shared/core/tools/methods.generated.ts', 'methods.ts'),
    handlers: importedFolders(root, 'extension/core/worker/handlers.generated.ts', 'handler.ts'),
    sections: sectionsOf(join(root, 'docs/tools.md')),
  };
}

/** Folders of a room with the names of their files; a room that is not there has none. */
function readRoom(root: string, room: string): Record<string, string[]> {
  const place = join(root, room);
  if (!existsSync(place)) return {};
  const folders = readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return Object.fromEntries(folders.map(({ name }) => [name, readdirSync(join(place, name))]));
}

async function readManifests(
  root: string,
  shared: Readonly<Record<string, readonly string[]>>,
): Promise<Record<string, readonly StructuredTool[] | null>> {
  const entries = Object.entries(shared).map(async ([folder, files]) => {
    if (!files.includes('manifest.ts')) return [folder, null] as const;
    const url = pathToFileURL(join(root, 'shared/tools', folder, 'manifest.ts')).href;
    const exported: Record<string, unknown> = await import(url);
    const { manifests } = exported;
    return [folder, Array.isArray(manifests) ? manifests.filter(isManifest) : []] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function isManifest(value: unknown): value is StructuredTool {
  return typeof value === 'object' && value !== null && 'identifier' in value && 'annotations' in value;
}

/** Folders of tools whose file of that name a table imports and uses. */
function importedFolders(root: string, table: string, file: string): string[] {
  const text = readFileSync(join(root, table), 'utf8');
  const imports = text.matchAll(
    /^import (?:\* as (\w+)|\{([^}]*)\}) from '(?:[^']*\/tools|\.)\/(\w+)\/([\w-]+\.ts)';$/gm,
  );
  return [...imports].flatMap(([statement, space, names = '', folder = '', from]) => {
    const rest = text.replace(statement, '');
    const used = (space ?? names)
      .split(',')
      .some((name) => new RegExp(`\\b${name.trim().split(' ').at(-1)}\\b`).test(rest));
    return from === file && used ? [folder] : [];
  });
}

function sectionsOf(page: string): string[] {
  if (!existsSync(page)) return [];
  return [...readFileSync(page, 'utf8').matchAll(/^## (\S+)$/gm)].map(([, name]) => name ?? '');
}
