import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Tree } from './lib/checks/tree.mjs';

/** Rooms that are printed; the smaller ones share a line. */
const ROOMS_MAX = 36;
const TEXT = /^(?:server|shared|extension)\/.*\.tsx?$/;

/** A room is a folder of the second level, or of the third where that has rooms of its own. */
const roomOf = (path) =>
  path
    .split('/')
    .slice(0, /^(?:server|extension)\/(?:core|libraries|ui)\/[^/]+\//.test(path) ? 3 : 2)
    .join('/');

/** Lines of code and of comments; blank lines are neither. In front of a comment is a space or a bracket, unlike in a glob. */
function weigh(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  const code = text
    .replaceAll(/(?<![^\s{(])\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*\/\//.test(line)).length;
  return { code, comments: lines - code, files: 1 };
}

const plus = (one, other) => ({
  code: one.code + other.code,
  comments: one.comments + other.comments,
  files: one.files + other.files,
});
const NOTHING = { code: 0, comments: 0, files: 0 };

export function weightTable() {
  const rooms = new Map();
  for (const path of new Tree().paths(TEXT)) {
    const room = basename(path) === path.split('/')[1] ? `${path.split('/')[0]}/*.ts` : roomOf(path);
    rooms.set(room, plus(rooms.get(room) ?? NOTHING, weigh(readFileSync(path, 'utf8'))));
  }
  const sorted = [...rooms].sort(([, one], [, other]) => other.code - one.code);
  const rest = sorted.slice(ROOMS_MAX).map(([, weight]) => weight);
  const rows = [
    ...sorted.slice(0, ROOMS_MAX),
    [`${rest.length} more`, rest.reduce(plus, NOTHING)],
    ['all', [...rooms.values()].reduce(plus, NOTHING)],
  ];
  const line = (name, code, comments, files) =>
    `  ${name.padEnd(36)}${String(code).padStart(8)}${String(comments).padStart(10)}${String(files).padStart(7)}`;
  return [
    line('Weight', 'code', 'comments', 'files'),
    ...rows.map(([name, { code, comments, files }]) => line(name, code, comments, files)),
  ].join('\n');
}

if (process.argv[1] === import.meta.filename) console.log(weightTable());
