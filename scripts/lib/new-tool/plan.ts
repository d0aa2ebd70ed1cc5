import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { namesOf, type ToolNames } from './names.ts';
import { Refusal, type NewTool } from './options.ts';
import {
  casesFile,
  fakeFile,
  handlerFile,
  manifestFile,
  methodsFile,
  runtimeFile,
  testFile,
  workFile,
} from './templates.ts';

/** What is to be written: paths below the repository, and their whole texts. */
export type Plan = ReadonlyMap<string, string>;

interface Edit {
  readonly path: string;
  readonly change: (text: string) => string | null;
}

/**
 * The files of a new tool and the lines in the lists that name it, all in memory: nothing is written
 * before everything was found in its place.
 *
 * @throws Refusal when the tool or one of its files exists, a list is not as it was expected,
 * or a name would stand for two things
 */
export function planNewTool(root: string, tool: NewTool): Plan {
  const names = namesOf(tool.name);
  refuseExisting(root, tool);
  const plan = new Map<string, string>();
  for (const [path, text] of filesOf(tool, names)) {
    if (existsSync(join(root, path))) throw new Refusal(`${path} exists already.`);
    plan.set(path, text);
  }
  for (const { path, change } of editsOf(tool, names)) {
    const changed = change(plan.get(path) ?? readFileSync(join(root, path), 'utf8'));
    if (changed === null)
      throw new Refusal(
        `${path} is not as it was expected: add ${tool.name} by hand, as its neighbours are.`,
      );
    plan.set(path, changed);
  }
  return plan;
}

function refuseExisting(root: string, { name }: NewTool): void {
  const tools = join(root, 'shared/tools');
  if (existsSync(join(tools, name))) throw new Refusal(`name: shared/tools/${name} exists already.`);
  for (const folder of readdirSync(tools, { withFileTypes: true })) {
    const manifest = join(tools, folder.name, 'manifest.ts');
    if (!folder.isDirectory() || !existsSync(manifest)) continue;
    if (readFileSync(manifest, 'utf8').includes(`name: '${name}'`))
      throw new Refusal(`name: the tool ${name} exists already, in shared/tools/${folder.name}.`);
  }
}

function filesOf(tool: NewTool, names: ToolNames): (readonly [string, string])[] {
  const { name, extension, runs } = tool;
  const { kebab } = names;
  return [
    [`shared/tools/${name}/manifest.ts`, manifestFile(tool, names)],
    [`server/tools/${name}/runtime.ts`, runtimeFile(tool, names)],
    ...(runs ? [[`server/tools/${name}/work.ts`, workFile(tool, names)] as const] : []),
    ...(extension
      ? [
          [`shared/tools/${name}/methods.ts`, methodsFile(tool, names)] as const,
          [`extension/tools/${name}/handler.ts`, handlerFile(tool, names)] as const,
          [`tests/tools/${name}/fake.ts`, fakeFile(tool, names)] as const,
        ]
      : []),
    [`tests/tools/${name}/cases.ts`, casesFile(tool, names)],
    [`tests/tools/${name}/${kebab}.test.ts`, testFile(tool, names)],
  ];
}

function editsOf({ name, extension }: NewTool, { pascal }: ToolNames): Edit[] {
  if (!extension) return [];
  return [
    {
      path: 'extension/worker/handlers.ts',
      change: chain(
        addImport(`import { createHandlers as create${pascal}Handlers } from '../tools/${name}/handler.ts';`),
        insertAfter(/^ {4}'page\.read': .*,$/m, `\n    ...create${pascal}Handlers(),`),
      ),
    },
  ];
}

type Change = Edit['change'];

const chain =
  (...changes: readonly Change[]): Change =>
  (text) =>
    changes.reduce<string | null>((changed, change) => (changed === null ? null : change(changed)), text);

const insertAfter =
  (place: RegExp, added: string): Change =>
  (text) => {
    const found = place.exec(text);
    if (found === null) return null;
    const at = found.index + found[0].length;
    return text.slice(0, at) + added + text.slice(at);
  };

/** Below the last import of a tool's folder. */
const addImport =
  (statement: string): Change =>
  (text) => {
    const last = [...text.matchAll(/^import .*\/(?:manifest|methods|handler)\.ts';$/gm)].at(-1);
    if (last === undefined) return null;
    const at = last.index + last[0].length;
    return `${text.slice(0, at)}\n${statement}${text.slice(at)}`;
  };
