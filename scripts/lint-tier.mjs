import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cruise, format } from 'dependency-cruiser';
import { ROOT } from './lib/run.mjs';
import { PlainError, runMain } from './lib/steps.mjs';

const ROOMS = ['shared', 'extension', 'server', 'tests', 'fixtures', 'scripts', 'bench'];
/** A run that saw fewer has looked in the wrong place, and would report no violation. */
const MIN_MODULES = 100;

/**
 * Checks a tree against the rules of `.dependency-cruiser.cjs`.
 * @returns the cruise's result and how many modules of the rooms it saw
 */
export async function cruiseRooms(root) {
  const { options, ...ruleSet } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
  const rooms = ROOMS.filter((room) => existsSync(join(root, room)));
  const { output } = await cruise(rooms, {
    ...options,
    ruleSet,
    validate: true,
    outputType: 'json',
    baseDir: root,
  });
  const result = JSON.parse(output);
  const ours = result.modules.filter(({ source }) => rooms.some((room) => source.startsWith(`${room}/`)));
  return { result, count: ours.length };
}

/** Rooms without a README, and READMEs that name a file or a rule that does not exist. */
function roomProblems(root) {
  const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
  const rules = new Set(forbidden.map(({ name }) => name));
  const folders = readdirSync(join(root, 'server'), { withFileTypes: true }).filter((each) =>
    each.isDirectory(),
  );
  return ['shared', ...folders.map(({ name }) => `server/${name}`)].flatMap((room) => {
    const readme = `${room}/README.md`;
    if (!existsSync(join(root, readme))) return [`${readme} is missing`];
    const names = readFileSync(join(root, readme), 'utf8').matchAll(/`(?!dist\/|house\/)([a-z][\w./-]*)`/g);
    return [...names].flatMap(([, name]) => {
      const isPath = /[/.]/.test(name);
      const exists = isPath
        ? [room, 'server', 'server/core', 'server/libraries', ''].some((folder) =>
            existsSync(join(root, folder, name)),
          )
        : rules.has(name) || !name.includes('-');
      return exists ? [] : [`${readme} names ${name}, which does not exist`];
    });
  });
}

/** Functions and types of a file, apart from those in others. */
const DEFINED =
  /^(?:export )?(?:(?:async )?function\*? |interface |type |class |const (?=\w+(?:: [^=\n]+)? = (?:async )?[(<]))(\w+)/gm;
/** Each tool has them: its faces find them by these names. */
const OF_FACES = new Set(['createRuntimes', 'createHandlers', 'addCommands']);
const MAX_FILES = 9;

/** Names that so many files give to things of their own that a search finds none of them. */
export function nameProblems(root, sources) {
  const files = new Map();
  for (const source of sources)
    for (const [, name] of readFileSync(join(root, source), 'utf8').matchAll(DEFINED))
      files.set(name, (files.get(name) ?? new Set()).add(source));
  return [...files]
    .filter(([name, { size }]) => size > MAX_FILES && !OF_FACES.has(name))
    .map(([name, { size }]) => `${size} files define ${name}: say which in its name`);
}

const PRODUCT = /^(?:extension|server|shared)\/.*\.tsx?$/;

if (process.argv[1] === import.meta.filename)
  await runMain(async () => {
    const problems = roomProblems(ROOT);
    if (problems.length > 0) throw new PlainError(problems.join('\n'));
    const { result, count } = await cruiseRooms(ROOT);
    if (count < MIN_MODULES)
      throw new PlainError(`Only ${count} modules were cruised; at least ${MIN_MODULES} are expected.`);
    const repeated = nameProblems(
      ROOT,
      result.modules.map(({ source }) => source).filter((source) => PRODUCT.test(source)),
    );
    if (repeated.length > 0) throw new PlainError(repeated.join('\n'));
    if (result.summary.violations.length > 0) {
      const { output } = await format(result, { outputType: 'err-long' });
      throw new PlainError(output.trim());
    }
    console.log(`${count} modules, ${result.summary.totalDependenciesCruised} dependencies, no violation`);
  });
