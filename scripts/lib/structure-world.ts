import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StructuredTool, StructureWorld } from './structure.ts';
import { toolFiles, type ToolPart } from './tool-files.ts';

export type LoadedLists = Pick<StructureWorld, 'listed' | 'panel' | 'runtimes' | 'workers'>;

/** The structure of a checkout: its folders, and what its tables name. */
export async function readStructureWorld(root: string, lists: LoadedLists): Promise<StructureWorld> {
  return {
    ...lists,
    written: await readManifests(root),
    shared: partsIn(root, ['manifest', 'methods']),
    server: partsIn(root, ['runtime', 'work']),
    extension: partsIn(root, ['handler']),
    methods: importedTools(root, 'shared/core/tools/methods.generated.ts', 'methods'),
    handlers: importedTools(root, 'extension/core/worker/handlers.generated.ts', 'handler'),
    sections: sectionsOf(join(root, 'docs/tools.md')),
  };
}

/** Tools with the parts that they have on a side. */
function partsIn(root: string, parts: readonly ToolPart[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const part of parts) for (const { tool } of toolFiles(root, part)) (found[tool] ??= []).push(part);
  return found;
}

async function readManifests(root: string): Promise<Record<string, readonly StructuredTool[]>> {
  const entries = toolFiles(root, 'manifest').map(async ({ tool, path }) => {
    const exported: Record<string, unknown> = await import(pathToFileURL(join(root, path)).href);
    const { manifests } = exported;
    return [tool, Array.isArray(manifests) ? manifests.filter(isManifest) : []] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function isManifest(value: unknown): value is StructuredTool {
  return typeof value === 'object' && value !== null && 'identifier' in value && 'annotations' in value;
}

/** Tools whose part a table imports and uses. */
function importedTools(root: string, table: string, part: ToolPart): string[] {
  const text = readFileSync(join(root, table), 'utf8');
  const imports = text.matchAll(/^import \{([^}]*)\} from '[^']*\/([a-z_]+)\.([a-z]+)\.ts';$/gm);
  return [...imports].flatMap(([statement, names = '', tool = '', from]) => {
    const rest = text.replace(statement, '');
    const used = names
      .split(',')
      .some((name) => new RegExp(`\\b${name.trim().split(' ').at(-1)}\\b`).test(rest));
    return from === part && used ? [tool] : [];
  });
}

function sectionsOf(page: string): string[] {
  if (!existsSync(page)) return [];
  return [...readFileSync(page, 'utf8').matchAll(/^## (\S+)$/gm)].map(([, name]) => name ?? '');
}
