import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/run.mjs';
import { PlainError, runMain } from './lib/steps.mjs';
import { findWording } from './lib/wording.mjs';

const TEXTS = /\.(?:ts|tsx|mts|js|mjs|cjs|md|html)$/;
/** Pages of fixtures are the text of others; the list and its test quote what they forbid. */
const EXCLUDED = /^(?:fixtures\/|tests\/unit\/scripts\/lint-wording\.test\.ts$|scripts\/lib\/wording\.mjs$)/;
/** A search that saw fewer has looked in the wrong place. */
const LEAST_FILES = 100;

/** `npm run lint:wording`: agent-facing texts, documents, comments and exported names in plain English. */
await runMain(async () => {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = tracked
    .split('\n')
    .filter((path) => TEXTS.test(path) && !EXCLUDED.test(path) && existsSync(join(ROOT, path)));
  if (files.length < LEAST_FILES)
    throw new PlainError(`Only ${files.length} files were found; at least ${LEAST_FILES} are expected.`);
  const problems = files.flatMap((path) =>
    findWording(readFileSync(join(ROOT, path), 'utf8')).map(
      ({ line, found, instead }) => `${path}:${line} "${found}": write ${instead}`,
    ),
  );
  if (problems.length > 0) throw new PlainError(problems.join('\n'));
  console.log(`${files.length} files, no phrase of the list`);
});
