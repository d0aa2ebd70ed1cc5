import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tree } from './lib/checks/tree.mjs';
import { ROOT } from './lib/run.mjs';
import { PlainError, runMain } from './lib/steps.mjs';
import { findWording } from './lib/wording.mjs';

const TEXTS = /\.(?:ts|tsx|mts|js|mjs|cjs|md|html)$/;
/** Pages of fixtures are the text of others; the list and its test quote what they forbid. */
const EXCLUDED = /^(?:fixtures\/|tests\/unit\/scripts\/lint-wording\.test\.ts$|scripts\/lib\/wording\.mjs$)/;
/** A search that saw fewer has looked in the wrong place. */
const MIN_FILES = 100;

export const isWorded = (path) => TEXTS.test(path) && !EXCLUDED.test(path);

/** A line for each phrase in these files that the project does not use. */
export const wordingProblems = (paths) =>
  paths.flatMap((path) =>
    findWording(readFileSync(join(ROOT, path), 'utf8')).map(
      ({ line, found, instead }) => `${path}:${line} "${found}": write ${instead}`,
    ),
  );

/** `npm run lint:wording`: agent-facing texts, documents, comments and exported names in plain English. */
if (process.argv[1] === import.meta.filename)
  await runMain(() => {
    const files = new Tree().paths().filter(isWorded);
    if (files.length < MIN_FILES)
      throw new PlainError(`Only ${files.length} files were found; at least ${MIN_FILES} are expected.`);
    const problems = wordingProblems(files);
    if (problems.length > 0) throw new PlainError(problems.join('\n'));
    console.log(`${files.length} files, no phrase of the list`);
  });
