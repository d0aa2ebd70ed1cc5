import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { paint } from '../../scripts/lib/steps.mjs';
import { formatNumber } from './stats.mjs';

/**
 * @typedef {object} Table
 * @property {string} title
 * @property {readonly string[]} head
 * @property {readonly (readonly string[])[]} rows
 * @property {string} [note] a sentence below it
 *
 * @typedef {object} Bound a value that has to keep to one side of a limit
 * @property {string} name
 * @property {number} value
 * @property {number} [most]
 * @property {number} [least]
 * @property {string} unit
 *
 * @typedef {object} PartReport
 * @property {readonly Table[]} tables
 * @property {readonly Bound[]} bounds
 * @property {unknown} results raw numbers, for `results.json`
 *
 * @typedef {object} PartOptions
 * @property {(text: string) => void} say what is being done
 * @property {string | null} browser path of the Chromium
 *
 * @typedef {(options: PartOptions) => Promise<PartReport>} Part
 */

const START = '<!-- results: written by npm run bench -- --write -->';
const END = '<!-- end of results -->';

const BOUNDS = 'Bounds';

/** @param {Bound} bound */
export function isKept({ value, most = Infinity, least = -Infinity }) {
  return value <= most && value >= least;
}

/** A ratio with two digits: it may be near its limit. */
const formatValue = (value, unit) => `${unit === '×' ? value.toFixed(2) : formatNumber(value)} ${unit}`;

/** `at most 1.50 ×` */
function formatLimit({ most, least, unit }) {
  const side = (word, limit) => (limit === undefined ? [] : [`${word} ${formatValue(limit, unit)}`]);
  return [...side('at least', least), ...side('at most', most)].join(', ');
}

/** The bounds of a run as a table, kept or missed. */
export function boundsTable(bounds) {
  return {
    title: BOUNDS,
    head: ['bound', 'limit', 'measured', ''],
    rows: bounds.map((bound) => [
      bound.name,
      formatLimit(bound),
      formatValue(bound.value, bound.unit),
      isKept(bound) ? 'kept' : 'missed',
    ]),
  };
}

/** A table for a terminal: the first column to the left, numbers to the right. */
export function printTable({ title, head, rows, note }) {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at].length)));
  const line = (row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('   ');
  console.log(`\n${paint('bold', title)}`);
  console.log(`  ${paint('dim', line(head))}`);
  for (const row of rows) console.log(`  ${line(row)}`);
  if (note !== undefined) console.log(`  ${note}`);
}

/** A table as GFM, aligned as oxfmt has it. */
function markdownTable({ title, head, rows, note }) {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, at) => Math.max(3, ...cells.map((row) => row[at].length)));
  const line = (row) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  const [first, ...others] = cells;
  const parts = [`### ${title}`, [line(first), rule, ...others.map(line)].join('\n')];
  return [...parts, ...(note === undefined ? [] : [note])].join('\n\n');
}

export function describeMachine(browserVersion) {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory: `${formatNumber(totalmem() / 2 ** 30)} GiB`,
    browser: browserVersion,
  };
}

const HEADING = /^### (.+)$/m;
const takenLine = ({ date, node, platform, cpu, cores, memory, browser }) =>
  `Taken ${date} on ${cpu}, ${cores} cores, ${memory}, ${platform}, Node ${node}, ${browser}.`;

function parseResults(text) {
  const [intro, ...blocks] = text.split(/^(?=### )/m).map((block) => block.trim());
  return { intro, blocks: new Map(blocks.map((block) => [HEADING.exec(block)?.[1], block])) };
}

/** The rows of a Markdown table, without its head. */
const rowsOf = (block) =>
  block
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );

/** Bounds that were measured, at their places among the earlier ones. */
function mergeBounds(earlier, measured) {
  const rows = new Map([...rowsOf(earlier), ...measured.rows].map((row) => [row[0], row]));
  return { ...measured, rows: [...rows.values()] };
}

/**
 * The results of a run put into earlier ones. Tables are known by their titles, and bounds by their names: what was not measured
 * stays, unless the run was of everything.
 *
 * @param {string} text earlier results
 * @param {{ machine: object, tables: readonly Table[], isWhole: boolean }} run its last table is that of the bounds
 */
function mergeResults(text, { machine, tables, isWhole }) {
  const taken = takenLine(machine);
  if (isWhole) return [taken, ...tables.map(markdownTable)].join('\n\n');
  const { intro, blocks } = parseResults(text);
  const earlierBounds = blocks.get(BOUNDS) ?? '';
  // They stay last.
  blocks.delete(BOUNDS);
  for (const table of tables) {
    const isBounds = table.title === BOUNDS;
    const block = markdownTable(isBounds ? mergeBounds(earlierBounds, table) : table);
    blocks.set(table.title, isBounds || intro === taken ? block : `${block}\n\n${taken}`);
  }
  return [intro === '' ? taken : intro, ...blocks.values()].join('\n\n');
}

/** Puts the results of a run between the markers of a Markdown file. */
export function writeTables(path, run) {
  const text = readFileSync(path, 'utf8');
  const start = text.indexOf(START);
  const end = text.indexOf(END);
  if (start === -1 || end < start) throw new Error(`${path} has no place for results`);
  const body = mergeResults(text.slice(start + START.length, end), run);
  writeFileSync(path, `${text.slice(0, start)}${START}\n\n${body}\n\n${text.slice(end)}`);
}
