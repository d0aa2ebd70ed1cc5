import { styleText } from 'node:util';
import type { Logger } from './services.ts';

/** A command's output, injected so that tests can read it. */
export interface CommandIo {
  /** Standard output. */
  readonly write: (text: string) => void;
  /** A person reads along. */
  readonly isTerminal: boolean;
}

/** Standard output of this process. */
export function processIo(): CommandIo {
  // The reader may have closed the pipe, as `head` does: the command still ends normally.
  process.stdout.on('error', () => undefined);
  return {
    write: (text) => void process.stdout.write(text),
    isTerminal: process.stdout.isTTY === true,
  };
}

/** Prints a report: with `--json` as JSON, else as a text for people. */
export const printReport = (
  io: CommandIo,
  { json }: { readonly json?: boolean | undefined },
  report: object,
  text: () => string,
): void => io.write(json === true ? `${JSON.stringify(report, null, 2)}\n` : text());

export type Style = ReturnType<typeof styleOf>;

/** Colours of a command's output; plain text if the output is not a terminal, and with `NO_COLOR` (no-color.org). */
export function styleOf(io: CommandIo) {
  const paint = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    io.isTerminal ? styleText(format, text) : text;
  return {
    good: paint('green'),
    bad: paint('red'),
    caution: paint('yellow'),
    faint: paint('dim'),
    strong: paint('bold'),
  };
}

/** Lines of columns, each as wide as its widest cell; the last column is not padded. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.slice(0, -1).forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  return rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
}

const SHOWN_UNITS = 500;

/** Other people's text may contain terminal control sequences: they are shown, not executed. */
export const escapeControls = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);

/** The same for the beginning of a text. */
export const plain = (text: string): string => escapeControls(text.slice(0, SHOWN_UNITS));

/** For a command whose report is complete in itself. */
export const quiet: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
