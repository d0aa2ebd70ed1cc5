import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isWorded, wordingProblems } from '../../lint-wording.mjs';
import { CACHE, ROOT, run } from '../run.mjs';
import { PlainError } from '../steps.mjs';
import { keepPassed, ofChanged, readPassed, unlessPassed } from './passed.mjs';
import { Tree } from './tree.mjs';
import { checkProject, programHash, projects } from './types.mjs';

/** Tools, their settings, and types that are visible without an import. */
const SETTINGS =
  /^[^/]+(?<!\.md)$|^scripts\/(?:check|lint-|lib\/(?:checks\/|lint\/|wording))|(?:^|\/)tsconfig[^/]*\.json$|\.d\.m?ts$/;
const FORMATTED = /\.(?:[cm]?[jt]sx?|jsonc?|md|ya?ml|css|html|vue|toml)$/;
const MAKERS = /^scripts\/(?:docs|generate|lint-tool-schemas)\.ts$|^shared\/tools\/index\.ts$/;
const MADE = /\.generated\.ts$|^README\.md$|^(?:\.claude-plugin|\.cursor-plugin|mcpb)\/|^docs\/[^/]+$/;
/** With more of them, a tool finds its files itself. */
const MAX_NAMED = 1_500;

const OXLINT = ['--config', '.oxlintrc.jsonc', '--deny-warnings', '--no-error-on-unmatched-pattern'];
const OXFMT = ['--check', '--no-error-on-unmatched-pattern'];

/**
 * Name → check, the longest first. Each returns a summary, and throws if it fails. Files unchanged since a check passed
 * are skipped; `.cache/checks` remembers.
 */
export function createChecks() {
  const tree = new Tree();
  const config = keyOf(process.version, tree.hashOf(tree.paths(SETTINGS)));
  const names = keyOf(...tree.paths());
  const ofFiles = (name, paths, work) =>
    ofChanged(name, config, Object.fromEntries(paths.map((path) => [path, tree.hashes.get(path)])), work);
  const whole = (name, inputs, work) => unlessPassed(name, keyOf(config, names, ...inputs), work);
  const isThere = (path) => tree.hashes.has(path);
  const worded = tree.paths().filter(isWorded);

  return {
    lint: () =>
      ofFiles('lint', tree.scripts(), (changed) => {
        // Rules that know types look through imports.
        const files = changed && tree.withImporters(changed);
        return program('oxlint/bin/oxlint', ...OXLINT, ...named(files?.filter(isThere)));
      }),
    typecheck: async () => {
      const checked = [];
      for (const project of projects()) {
        const name = `types-${project.replaceAll('/', '-')}`;
        const key = () => keyOf(config, names, programHash(project, tree.hashes));
        if (readPassed(name)?.key === key()) continue;
        await checkProject(project);
        keepPassed(name, { key: key() });
        checked.push(project);
      }
      return checked.length === 0 ? 'unchanged' : checked.join(', ');
    },
    knip: () =>
      whole('knip', [tree.hashOf([...tree.scripts(), ...tree.paths(/\.json$/)])], () =>
        program('knip/bin/knip.js', '--cache', '--cache-location', join(CACHE, 'knip')),
      ),
    'lint:tier': () =>
      whole(
        'lint-tier',
        [
          tree.hashOf(tree.paths(/^(?:shared|server\/[^/]+)\/README\.md$/)),
          ...tree.scripts().flatMap((path) => [path, ...tree.importsOf(path)]),
        ],
        () => node(join(ROOT, 'scripts/lint-tier.mjs')),
      ),
    generated: () => {
      const inputs = [...tree.withImported(tree.paths(MAKERS)), ...tree.paths(MADE)];
      return whole('generated', [tree.hashOf(inputs)], () =>
        node('--import', 'tsx', join(ROOT, 'scripts/check-generated.ts'), '--check'),
      );
    },
    format: () =>
      ofFiles('format', tree.paths(FORMATTED), (changed) =>
        program('oxfmt/bin/oxfmt', ...OXFMT, ...named(changed?.filter(isThere))),
      ),
    'lint:wording': () =>
      ofFiles('lint-wording', worded, (changed) => {
        const problems = wordingProblems((changed ?? worded).filter(isThere));
        if (problems.length > 0) throw new PlainError(problems.join('\n'));
      }),
  };
}

const keyOf = (...parts) => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** @throws PlainError with its output, if it exits with another code than 0 */
async function node(...args) {
  // The linter of types is written in Go: rare garbage collection trades memory for time.
  const { code, output } = await run(process.execPath, args, { env: { GOGC: '400' } });
  if (code !== 0) throw new PlainError(output.trimEnd());
}

const program = (path, ...args) => node(join(ROOT, 'node_modules', path), ...args);

/** The files in the arguments; all if there are none. */
const named = (files) => (files && files.length <= MAX_NAMED ? files : []);
