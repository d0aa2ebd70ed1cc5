import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CACHE, ROOT, run } from '../run.mjs';
import { PlainError } from '../steps.mjs';

/*
 * The native compiler checks types; the bundler of declarations needs the API of the compiler before it,
 * which keeps the name `typescript`.
 *
 * One checker per project: several would each compute zod's types again, which takes half as much CPU time again. Rare
 * garbage collection trades memory for time.
 */
const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc');

/** The projects that tsconfig.json references, in the order in which they read what others have written. */
export function projects() {
  const { references } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
  return references.map(({ path }) => path.replace('./', ''));
}

const memoryOf = (project) => join(CACHE, `typescript-7/${project.replaceAll('/', '-')}.tsbuildinfo`);

/** @throws PlainError with the compiler's errors */
export async function checkProject(project) {
  const args = ['-p', join(ROOT, project), '--checkers', '1', '--incremental'];
  const { code, output } = await run(
    process.execPath,
    [TSC, ...args, '--tsBuildInfoFile', memoryOf(project)],
    {
      env: { GOGC: '400' },
    },
  );
  if (code !== 0) throw new PlainError(output.trimEnd());
}

/**
 * A hash of the files that the compiler has last read for a project, packages aside; null before it did.
 * @param {string} project
 * @param {ReadonlyMap<string, string>} hashes of the files that are known already
 */
export function programHash(project, hashes) {
  const memory = memoryOf(project);
  if (!existsSync(memory)) return null;
  const { fileNames } = JSON.parse(readFileSync(memory, 'utf8'));
  const hash = createHash('sha256');
  for (const name of fileNames) {
    const path = join(dirname(memory), name);
    const known = hashes.get(relative(ROOT, path).replaceAll('\\', '/'));
    // Declarations that another project has written are not in the tree.
    const isWritten = path.startsWith(CACHE) && existsSync(path);
    hash.update(`${name}\0`).update(known ?? (isWritten ? readFileSync(path) : ''));
  }
  return hash.digest('hex');
}
