import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { namesOf, type ToolNames } from './names.ts';
import { Refusal, type NewTool } from './options.ts';
import { handlerFile, manifestFile, methodsFile, runtimeFile, testFile, workFile } from './templates.ts';

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
  refuseExisting(root, tool, names);
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
  for (const [path, text] of plan) refuseTwice(path, text);
  return plan;
}

/** The name in code may be that of something the templates import: such a file would not compile. */
function refuseTwice(path: string, text: string): void {
  const imported = [...text.matchAll(/^import (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').map((each) => each.trim().replace(/^(?:type )?(?:\w+ as )?/, '')),
  );
  const declared = [...text.matchAll(/^(?:export )?(?:const|(?:async )?function\*?) (\w+)/gm)];
  const names = [...imported, ...declared.map(([, name = '']) => name)].filter((name) => name !== '');
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new Refusal(`name: ${twice} is the name of something else in ${path}: choose another.`);
}

function refuseExisting(root: string, { name }: NewTool, { camel }: ToolNames): void {
  const tools = join(root, 'shared/tools');
  if (existsSync(join(tools, name))) throw new Refusal(`name: shared/tools/${name} exists already.`);
  for (const folder of readdirSync(tools, { withFileTypes: true })) {
    const manifest = join(tools, folder.name, 'manifest.ts');
    if (!folder.isDirectory() || !existsSync(manifest)) continue;
    if (readFileSync(manifest, 'utf8').includes(`name: '${name}'`))
      throw new Refusal(`name: the tool ${name} exists already, in shared/tools/${folder.name}.`);
  }
  if (new RegExp(`\\b${camel}\\b`).test(readFileSync(join(tools, 'index.ts'), 'utf8')))
    throw new Refusal(`name: ${camel} is the name of something else in shared/tools/index.ts.`);
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
        ]
      : []),
    [`tests/unit/${kebab}/${kebab}.test.ts`, testFile(tool, names)],
  ];
}

function editsOf(tool: NewTool, names: ToolNames): Edit[] {
  const { name, tier, extension, runs, spills } = tool;
  const { camel, pascal } = names;
  const edits: Edit[] = [
    {
      path: 'shared/tools/index.ts',
      change: chain(
        addImport(`import { ${camel} } from './${name}/manifest.ts';`),
        insertBefore(/^\] as const;$/m, `  ${camel},\n`),
      ),
    },
    {
      path: 'server/tools/index.ts',
      change: insertAfter(
        /^export const RUNTIMES\b.*\{$/m,
        tool.runs || extension
          ? `\n  ${name}: async (services) => ({ ${name}: (await import('./${name}/runtime.ts')).create${pascal}(services) }),`
          : `\n  ${name}: async () => ({ ${name}: (await import('./${name}/runtime.ts')).create${pascal}() }),`,
      ),
    },
    { path: 'tests/contract/pins.test.ts', change: pinTier(name, tier) },
    {
      path: 'tests/contract/adapters/cases.ts',
      change: insertAfter(
        /^const WRITTEN\b.*\[$/m,
        `\n  ok('${name}', 'answers its text', { text: 'four sails'${runs ? ', async: false' : ''} }),`,
      ),
    },
  ];
  if (spills)
    edits.push(
      {
        path: 'server/library/types.ts',
        change: insertBefore(/(?<=^export type SpillingTool =[^;]*);/m, ` | '${name}'`),
      },
      {
        path: 'tests/unit/adapters/library.test.ts',
        change: insertAfter(/const spilling: Record<SpillingTool, true> = \{$/m, `\n    ${name}: true,`),
      },
    );
  if (runs) {
    const services = extension ? 'services' : '';
    const worker = `\n  ${name}: async (${services}) => (await import('./${name}/work.ts')).create${pascal}Worker(${services}),`;
    const example = `\n  { tool: '${name}', args: { text: 'four sails' }, has: 'items' },`;
    edits.push(
      { path: 'server/tools/index.ts', change: insertAfter(/^export const RUN_WORKERS\b.*\{$/m, worker) },
      { path: 'tests/contract/output-schemas.test.ts', change: insertAfter(/^const cases\b.*\[$/m, example) },
    );
  }
  if (extension)
    edits.push(
      {
        path: 'shared/bridge/methods.ts',
        change: chain(
          addImport(`import { ${camel}Methods } from '../tools/${name}/methods.ts';`),
          insertAfter(/^ {2}'page\.read': \{[^]*?^ {2}\},$/m, `\n  ...${camel}Methods,`),
        ),
      },
      {
        path: 'extension/worker/handlers.ts',
        change: chain(
          addImport(`import { create${pascal}Handlers } from '../tools/${name}/handler.ts';`),
          insertAfter(/^ {4}'page\.read': .*,$/m, `\n    ...create${pascal}Handlers(),`),
        ),
      },
      {
        path: 'tests/support/fake-tabs.ts',
        change: insertAfter(
          /^ {2}readonly handlers: BridgeHandlers = \{$/m,
          `\n    '${name}.echo': async ({ text }) => ({ text }),`,
        ),
      },
    );
  return edits;
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

const insertBefore =
  (place: RegExp, added: string): Change =>
  (text) => {
    const found = place.exec(text);
    return found === null ? null : text.slice(0, found.index) + added + text.slice(found.index);
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

/** Its line in the snapshot of the tiers, which are sorted by name. */
const pinTier =
  (name: string, tier: number): Change =>
  (text) => {
    const [table] = /^test\('the tier of every tool'[^]*?^\}\);$/m.exec(text) ?? [];
    const pins = table?.match(/^ {6}"\w+": \d,$/gm);
    if (table === undefined || pins == null) return null;
    const pin = `      "${name}": ${tier},`;
    const next = pins.find((other) => other > pin);
    const last = pins.at(-1) ?? '';
    const pinned =
      next === undefined ? table.replace(last, `${last}\n${pin}`) : table.replace(next, `${pin}\n${next}`);
    return text.replace(table, () => pinned);
  };
