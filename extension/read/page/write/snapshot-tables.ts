import { computeName } from '../../../dom/names/name.ts';
import { statesOf } from '../../../dom/names/role.ts';
import type { End, WriterTools } from './out.ts';
import { SnapshotLine } from './snapshot-line.ts';
import { genericAction, writeLineHead, isNameOf, withSpace } from './snapshot-words.ts';
import { Tables, isReordered, widthOf } from './table.ts';

/** The snapshot around its tables. */
interface Host {
  readonly tools: WriterTools;
  /** The line being written. */
  readonly pen: { line: SnapshotLine };
  /** Turns block boundaries into spaces until the returned function is called. */
  readonly flatten: () => () => void;
  /** Omits text until the returned function is called. */
  readonly mute: () => End;
  /** Writes the words of a cell's label that its content lacks. */
  readonly writeName: (el: Element, role: string) => void;
  readonly write: (line: string) => void;
}

/**
 * Tables in a snapshot: one line per row, written when the table ends or, with a budget, when the row does. Content
 * outside of the cells is a line between the rows.
 */
export function snapshotTables({ tools, pen, flatten, mute, writeName, write }: Host): Tables {
  /** Writes the outermost table's rows so far. Null if they wait for its end. */
  let stream: (() => void) | null = null;
  const collect = (): (() => string) => {
    let text = '';
    const outer = pen.line;
    const line = new SnapshotLine((written) => void (text += written));
    pen.line = line;
    return () => {
      line.end();
      pen.line = outer;
      return text;
    };
  };
  const begin = (): void => tools.places?.begin();
  return new Tables({
    open(el, grid, role) {
      const outer = pen.line;
      outer.end();
      const writeRows = rowsWriter(`@table${withSpace(computeName(el, role))}`, write);
      const width = widthOf(el);
      const asides = new SnapshotLine((text) => grid.addAside(text.replaceAll('|', '\\|')));
      pen.line = asides;
      // With a budget the walk may stop at any row, so rows are written as they come.
      if (tools.options.budget !== undefined && !isReordered(el))
        stream = () => void writeRows(grid.takeRows(width));
      const unflatten = flatten();
      return () => {
        asides.end();
        pen.line = outer;
        unflatten();
        stream = null;
        outer.afterTable = writeRows(grid.texts, begin);
      };
    },
    /** Inside a cell, rows follow each other on its line. */
    nest(grid) {
      const outer = pen.line;
      const finish = collect();
      return () => {
        const rows = [finish(), ...grid.texts.map((row) => row.join('|'))];
        outer.raw(rows.filter((row) => row !== '').join('; '));
      };
    },
    cell(el, role) {
      const finish = collect();
      const { line } = pen;
      const isNamed = isActive(el, role, tools);
      if (isNamed) line.openName();
      writeName(el, role);
      return () => {
        if (isNamed) line.closeName(writeLineHead(el, role, tools.refs), '');
        return finish().replaceAll('|', '\\|');
      };
    },
    caption: (el, isNested) =>
      !isNested && el.parentElement !== null && isNameOf(el, el.parentElement) ? mute() : undefined,
    row(el, grid) {
      pen.line.end();
      if (stream === null) return null;
      begin();
      stream();
      // A row with cells that span from earlier ones is read again with those.
      if (grid.isCovered) begin();
      else tools.places?.enter(el, 0);
      return stream;
    },
  });
}

/**
 * Writes the rows of one table, its head before the first row that is not empty. Calls `begin` before each line that
 * begins after the last element entered; returns whether there has been a line.
 */
function rowsWriter(head: string, write: (line: string) => void) {
  let hasWritten = false;
  return (rows: readonly (readonly string[])[], begin?: () => void): boolean => {
    for (const row of rows) {
      if (row.every((text) => text === '')) continue;
      begin?.();
      if (!hasWritten) write(head);
      hasWritten = true;
      begin?.();
      write(row.join('|'));
    }
    return hasWritten;
  };
}

/** A cell that can be selected, sorted or clicked, not only read. */
function isActive(el: Element, role: string, tools: WriterTools): boolean {
  if (statesOf(el, role).length > 0 || genericAction(el, role, tools) !== null) return true;
  return role === 'gridcell' && (el.hasAttribute('tabindex') || el.hasAttribute('aria-selected'));
}
