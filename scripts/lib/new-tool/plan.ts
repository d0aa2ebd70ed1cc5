import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolFiles } from '../tool-files.ts';
import { Refusal, type NewTool } from './options.ts';
import {
  casesFile,
  folderOf,
  handlerFile,
  manifestFile,
  methodsFile,
  readmeFile,
  rowText,
  runtimeFile,
  translationText,
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
  const added = [
    ['ui/faces/rows.ts', rowText(tool), /^(?=\} satisfies Rows;)/m],
    ['ui/words/en/tools.ts', wordsText(tool), /^(?=\};)/m],
    ['ui/words/zh-CN.json', translationText(tool), /^(?= +"lines\.)/m],
  ] as const;
  return added.map(([file, text, place]) => {
    const path = `extension/${file}`;
    return [path, readFileSync(join(root, path), 'utf8').replace(place, text)];
  });
}

function refuseExisting(root: string, { name }: NewTool): void {
  for (const { tool, path } of toolFiles(root, 'manifest'))
    if (tool === name || readFileSync(join(root, path), 'utf8').includes(`name: '${name}'`))
      throw new Refusal(`name: the tool ${name} already exists, in ${path}.`);
}

function filesOf(tool: NewTool): Plan {
  const { name, extension, runs } = tool;
  const folder = folderOf(name);
  const runFiles: Plan = [[`server/${folder}/${name}.work.ts`, workFile(tool)]];
  const browserFiles: Plan = [
    [`shared/${folder}/${name}.methods.ts`, methodsFile(tool)],
    [`extension/${folder}/worker/${name}.handler.ts`, handlerFile(tool)],
  ];
  return [
    [`shared/${folder}/${name}.manifest.ts`, manifestFile(tool)],
    [`server/${folder}/${name}.runtime.ts`, runtimeFile(tool)],
    [`server/${folder}/README.md`, readmeFile(tool)],
    ...(runs ? runFiles : []),
    ...(extension ? browserFiles : []),
    [`tests/${folder}/contract/${name}.cases.ts`, casesFile(tool)],
  ];
}
