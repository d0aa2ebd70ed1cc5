import type { OutputDescriptor } from '../../shared/core/descriptor.ts';
import { formatDuration, paint } from './steps.mjs';

/** One read of the page, as the client received it. */
export interface Reading {
  readonly mode: 'inline' | 'handle' | 'auto';
  /** All blocks of the result, in UTF-8. */
  readonly sizeBytes: number;
  /** The same in o200k tokens. */
  readonly tokens: number;
  readonly tookMs: number;
  /** Null if the payload itself arrived. */
  readonly descriptor: OutputDescriptor | null;
}

/** The contents of the account. */
export interface Tour {
  readonly title: string;
  readonly url: string;
  readonly status: number | null;
  readonly readings: readonly Reading[];
  readonly paging: {
    readonly handle: string;
    readonly path: string;
    readonly pages: number;
    readonly sizeBytes: number;
    readonly tookMs: number;
    readonly expiresAt: string;
  };
}

const count = (value: number): string => value.toLocaleString('en-US');

/** The account of a tour, a short page of text. */
export function formatAccount(tour: Tour): string {
  const { paging } = tour;
  const status = tour.status === null ? '' : ` (HTTP ${tour.status})`;
  const fact = (name: string, text: string): string => `  ${paint('dim', name.padEnd(10))}${text}`;
  return [
    fact('page', `${paint('bold', tour.title || 'untitled')}${status}`),
    fact('', tour.url),
    '',
    formatTable(tour.readings),
    '',
    fact(
      'paging',
      `${count(paging.sizeBytes)} bytes in ${paging.pages} ${paging.pages === 1 ? 'page' : 'pages'} of oc_output_fetch, ${formatDuration(paging.tookMs)}`,
    ),
    fact('stored', paging.path),
    fact('until', paging.expiresAt),
    fact('saved', formatSaved(tour.readings)),
  ].join('\n');
}

function formatTable(readings: readonly Reading[]): string {
  const head = ['output_mode', 'bytes', 'tokens', 'time', 'what the agent gets'];
  const rows = readings.map(({ mode, sizeBytes, tokens, tookMs, descriptor }) => [
    mode,
    count(sizeBytes),
    count(tokens),
    formatDuration(tookMs),
    descriptor === null ? 'the page' : `${descriptor.output_handle} and a preview`,
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        const isNumber = column > 0 && column < head.length - 1;
        return isNumber ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('   ')
      .trimEnd();
  return [paint('dim', `  ${line(head)}`), ...rows.map((row) => `  ${line(row)}`)].join('\n');
}

function formatSaved(readings: readonly Reading[]): string {
  const inline = readings.find(({ mode }) => mode === 'inline');
  const handle = readings.find(({ mode }) => mode === 'handle');
  const auto = readings.find(({ mode }) => mode === 'auto');
  if (inline === undefined || handle === undefined || auto === undefined) return '';
  if (auto.descriptor === null) return 'nothing saved: the page is small, and auto returned it inline';
  const saved = inline.tokens - handle.tokens;
  const share = Math.round((100 * saved) / inline.tokens);
  return `${count(saved)} of ${count(inline.tokens)} tokens (${share} %) stay out of the context until they are fetched`;
}
