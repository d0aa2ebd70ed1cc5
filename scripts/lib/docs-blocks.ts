import type { Mode, ModeRow } from '../../server/core/registry/definition.ts';
import { TOOL_COMMANDS } from '../../server/cli/tool-commands/table.ts';
import { MODES } from '../../server/core/modes/loader.ts';
import { MANIFESTS } from '../../shared/core/tools/index.ts';
import { markdownTable } from './markdown-table.ts';

/** Parts of pages that people write: page → name of the block → its text. */
export const BLOCKS: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/modes.md': { modes: modeTable },
  'docs/terminal.md': { commands: commandTable },
};

/**
 * The page with each block between `<!-- generated: NAME -->` and `<!-- /generated -->` rewritten.
 * @throws Error when the markers of a block are missing or occur twice, or a marker names no block
 */
export function fillBlocks(
  page: string,
  text: string,
  blocks: Readonly<Record<string, () => string>>,
): string {
  const filled: string[] = [];
  const written = text.replaceAll(
    /(<!-- generated: ([\w-]+) -->\n).*?(\n<!-- \/generated -->)/gs,
    (_, open: string, name: string, close: string) => {
      const make = blocks[name];
      if (make === undefined) throw new Error(`${page}: nothing generates the block "${name}"`);
      filled.push(name);
      return `${open}\n${make()}\n${close}`;
    },
  );
  for (const name of Object.keys(blocks)) {
    const count = filled.filter((each) => each === name).length;
    if (count !== 1) throw new Error(`${page}: the block "${name}" is marked ${count} times instead of once`);
  }
  return written;
}

/** The commands that are tools. */
function commandTable(): string {
  return markdownTable(
    ['command', 'what it does', 'tool'],
    TOOL_COMMANDS.map(({ name, operand, summary, tools }) => [
      `\`spillway ${name}${operand === null ? '' : ` ${operand[0]}`}\``,
      summary,
      tools.map(({ tool }) => `[\`${tool}\`](tools.md#${tool})`).join(', '),
    ]),
  );
}

function modeTable(): string {
  const row = (title: string, cell: (mode: Mode) => string): string[] => [title, ...MODES.map(cell)];
  return markdownTable(
    ['', ...MODES.map(({ name }) => `\`${name}\``)],
    [
      row('for', ({ audience }) => audience),
      row('a long call', longCall),
      row('shortened answers', shortAnswers),
      row('`structuredContent`', ({ fallback }) =>
        fallback.structuredContent ? 'the JSON of `content[0]`, or the descriptor' : 'none',
      ),
      row('widgets', ({ widgets }) => codes(widgets?.names.map((name) => widgets.uri(name)))),
      row('keys of `_meta`', ({ widgets }) =>
        codes(['io.modelcontextprotocol/', ...(widgets?.metaKeys ?? [])]),
      ),
      row('tools for widgets only', (mode) =>
        codes(mode.own.map(({ name }) => name).filter((name) => rowOf(mode, name).audience === 'widget')),
      ),
    ],
  );
}

const rowOf = ({ fallback, rows }: Mode, tool: string): ModeRow => ({ ...fallback, ...rows[tool] });

const codes = (words: readonly string[] = []): string =>
  words.length === 0 ? 'none' : words.map((word) => `\`${word}\``).join(', ');

function longCall(mode: Mode): string {
  const runs = MANIFESTS.filter((tool) => tool.runs);
  const atOnce = runs.filter(({ name }) => rowOf(mode, name).execution === 'async');
  if (atOnce.length === 0) return 'waits, with progress';
  const which = atOnce.length === runs.length ? '' : ` (${codes(atOnce.map(({ name }) => name))})`;
  return `returns its run id at once${which}`;
}

function shortAnswers(mode: Mode): string {
  const short = MANIFESTS.flatMap(({ name }) => {
    const kept = rowOf(mode, name).keys;
    return kept === null ? [] : [`\`${name}\`: ${codes(kept)}`];
  });
  return short.length === 0 ? 'none' : short.join('; ');
}
