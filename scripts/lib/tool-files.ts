import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Parts of a tool, and the side that has them, in a folder named after the capability. */
const SIDES = {
  manifest: 'shared',
  methods: 'shared',
  runtime: 'server',
  work: 'server',
  handler: 'extension',
  cases: 'tests',
} as const;
/** Where it is in that folder. */
const INNER: Readonly<Record<string, string>> = { extension: '/worker', tests: '/contract' };
export type ToolPart = keyof typeof SIDES;

export interface ToolFile {
  readonly tool: string;
  /** Below the checkout. */
  readonly path: string;
}

/** The files `<tool>.<part>.ts` of a checkout, by the names of their tools. */
export function toolFiles(root: string, part: ToolPart): readonly ToolFile[] {
  const side = SIDES[part];
  const foldersIn = (folder: string): string[] =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => `${folder}/${name}`)
      : [];
  const folders = foldersIn(side).map((folder) => `${folder}${INNER[side] ?? ''}`);
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder)).flatMap((file) => {
        const tool = new RegExp(`^([a-z_]+)\\.${part}\\.ts$`).exec(file)?.[1];
        return tool === undefined ? [] : [{ tool, path: `${folder}/${file}` }];
      }),
    )
    .sort((one, other) => (one.tool < other.tool ? -1 : 1));
}
