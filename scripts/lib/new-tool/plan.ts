import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, type NewTool } from './options.ts';
import {
  casesFile,
  handlerFile,
  manifestFile,
  methodsFile,
  rowText,
  runtimeFile,
  wordsText,
  workFile,
} from './templates.ts';

/** Paths below the repository, and their whole texts. */
export type Plan = readonly (readonly [path: string, text: string])[];

/**
 * The files of a new tool, in memory: nothing is written before every check passed.
 * @throws Refusal when the tool or one of its files exists
 */
export function planNewTool(root: string, tool: NewTool): Plan {
  refuseExisting(root, tool);
  const plan = filesOf(tool);
  for (const [path] of plan) if (existsSync(join(root, path))) throw new Refusal(`${path} already exists.`);
  return [...plan, ...facesOf(root, tool)];
}

/** Its row among those of other tools, and its words in each language. */
function facesOf(root: string, tool: NewTool): Plan {
  const added: Plan = [
    ['panel/tools/rows.ts', rowText(tool)],
    ['words/en/tools.ts', wordsText(tool, false)],
    ['words/zh-CN/tools.ts', wordsText(tool, true)],
  ];
  return added.map(([file, text]) => {
    const path = `extension/${file}`;
    const before = readFileSync(join(root, path), 'utf8');
    return [path, before.replace(/^\}(?= satisfies Rows;| as const;)/m, `${text}}`)];
  });
}

function refuseExisting(root: string, { name }: NewTool): void {
  const tools = join(root, 'shared/tools');
  if (existsSync(join(tools, name))) throw new Refusal(`name: shared/tools/${name} already exists.`);
  for (const folder of readdirSync(tools, { withFileTypes: true })) {
    const manifest = join(tools, folder.name, 'manifest.ts');
    if (!folder.isDirectory() || !existsSync(manifest)) continue;
    if (readFileSync(manifest, 'utf8').includes(`name: '${name}'`))
      throw new Refusal(`name: the tool ${name} already exists, in shared/tools/${folder.name}.`);
  }
}

function filesOf(tool: NewTool): Plan {
  const { name, extension, runs } = tool;
  const runFiles: Plan = [[`server/tools/${name}/work.ts`, workFile(tool)]];
  const browserFiles: Plan = [
    [`shared/tools/${name}/methods.ts`, methodsFile(tool)],
    [`extension/tools/${name}/handler.ts`, handlerFile(tool)],
  ];
  return [
    [`shared/tools/${name}/manifest.ts`, manifestFile(tool)],
    [`server/tools/${name}/runtime.ts`, runtimeFile(tool)],
    ...(runs ? runFiles : []),
    ...(extension ? browserFiles : []),
    [`tests/tools/${name}/cases.ts`, casesFile(tool)],
  ];
}
