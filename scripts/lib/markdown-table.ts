type Cells = readonly string[];

/** A GFM table. */
export function markdownTable(head: Cells, rows: readonly Cells[]): string {
  const line = (cells: Cells): string => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const escapeCell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');
