import { existsSync, readFileSync } from 'node:fs';
import { posix, relative } from 'node:path';
import { ROOT } from './run.mjs';

const KINDS = ['browser', 'server', 'build', 'import', 'test', 'other'];
const HEAVIEST = 50;

/**
 * The table of `npm test -- --profile`, in CPU seconds: the total, then folders, then the heaviest files.
 * @param {string} path of the lines that tests/support/profile.ts has written; files outside of `root` are left out
 */
export function profileTable(path, root = ROOT) {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  const files = lines
    .map((line) => JSON.parse(line))
    .map(({ file, ...line }) => ({ ...line, name: relative(root, file).replaceAll('\\', '/') }))
    .filter(({ name }) => !name.startsWith('..'));
  const folders = new Map();
  for (const file of files) {
    const name = posix.dirname(file.name);
    folders.set(name, [...(folders.get(name) ?? []), file]);
  }
  const ofFolders = [...folders].map(([name, ofFolder]) => sum(`${name}/ (${ofFolder.length})`, ofFolder));
  const ofFiles = files.map((file) => sum(file.name, [file]));
  return formatRows([
    sum(`total (${files.length} files)`, files),
    ...heaviest(ofFolders),
    ...heaviest(ofFiles).slice(0, HEAVIEST),
  ]);
}

const heaviest = (rows) => rows.sort((a, b) => b.all - a.all);

function sum(name, files) {
  const total = (key, of) => of.reduce((all, values) => all + (values[key] ?? 0), 0);
  const seconds = KINDS.map((kind) =>
    total(
      kind,
      files.map(({ cpuSeconds }) => cpuSeconds),
    ),
  );
  const kinds = [...new Set(files.flatMap(({ starts }) => Object.keys(starts)))].sort();
  const starts = kinds
    .map((kind) => [
      total(
        kind,
        files.map((file) => file.starts),
      ),
      kind,
    ])
    .filter(([count]) => count > 0);
  return {
    name,
    all: seconds.reduce((all, each) => all + each, 0),
    seconds,
    starts: starts.map((pair) => pair.join(' ')).join(', '),
  };
}

function formatRows(rows) {
  const head = ['CPU s', ...KINDS].map((title) => title.padStart(8)).join('');
  const cell = (seconds) => (seconds < 0.05 ? '' : seconds.toFixed(1)).padStart(8);
  return [
    `${head}  starts`,
    ...rows.map(
      ({ name, all, seconds, starts }) =>
        `${[all, ...seconds].map(cell).join('')}  ${name}${starts === '' ? '' : `: ${starts}`}`,
    ),
  ].join('\n');
}
