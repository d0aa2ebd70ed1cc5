import { downloadLine } from '../../shared/core/downloads.ts';
import { cut, cutUrl, textsOf } from '../../shared/base/cut.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import type { BrowserId } from '../core/services.ts';
import { formatTabId } from '../core/targets.ts';
import { describeLeft } from '../core/snapshot.ts';

type ActResult = MethodResult<'act.run'>;
type Effect = Omit<ActResult, 'failed' | 'hidden' | 'started_at' | 'ended_at'>;

const URL_UNITS = 150;
const TITLE_UNITS = 100;
const DIALOG_UNITS = 300;
const LINES_NAMED = 12;
const DOWNLOADS_SHOWN = 5;

const isValue = (note: string): boolean => note.startsWith('= ');

/** The name in `textbox First name`. */
const labelOf = (element = ''): string | undefined => /^\S+ (.+)$/s.exec(element)?.[1];

function describeOpened({ dialog, opened, downloads }: Effect, browser: BrowserId): string[] {
  const shown = downloads.slice(-DOWNLOADS_SHOWN);
  const more = downloads.length - shown.length;
  return textsOf(
    dialog !== null &&
      `dialog ${dialog.type} ${JSON.stringify(cut(dialog.message, DIALOG_UNITS))}: answer it with the step "dialog accept" or "dialog dismiss"`,
    ...opened.map(
      ({ id: tabId, url }) => `opened ${formatTabId({ browser, tabId })} ${cutUrl(url, URL_UNITS)}`,
    ),
    ...shown.map(downloadLine),
    more > 0 && `${more} more downloads`,
  );
}

const errorLines = ({ console_errors: errors }: Effect): string[] => errors.map((text) => `error ${text}`);

/**
 * Lists each act and its effect, one per line.
 * @param id by which `network` returns the requests of the act
 */
export function receiptOf(
  result: Effect,
  { browser, id }: { readonly browser: BrowserId; readonly id: string },
): string {
  const { done, tab, from_url: from, requests, loading, not_tried: notTried } = result;
  const noted = done.flatMap(({ line, note, element }) => {
    if (note === null) return [];
    return [isValue(note) ? valueLine(line, note, element) : `${line}: ${note}`];
  });
  const lines = textsOf(
    `done ${done.length}`,
    ...noted,
    tab === null && 'tab closed',
    tab !== null && tab.url !== from && `url ${cutUrl(tab.url, URL_UNITS)}`,
    tab !== null && result.is_new_document && `title ${cut(tab.title, TITLE_UNITS)}`,
    ...describeOpened(result, browser),
    requests > 0 && `requests ${requests} (act ${id})`,
    loading.length > 0 && `still loading ${loading.map((url) => cutUrl(url, URL_UNITS)).join(', ')}`,
    ...errorLines(result),
    notTried.length > 0 && `not tried: ${joinLines(notTried)}`,
    ...result.notes,
    ...pageLines(result),
  );
  return lines.join('\n');
}

const valueLine = (line: string, note: string, element?: string): string =>
  `${labelOf(element) ?? line} ${note}`;

/** The changes of the page, or the page. */
function pageLines({ tab, text, left: [first] }: Effect): string[] {
  return textsOf(text !== null && text.trimEnd(), tab !== null && first !== undefined && describeLeft(first));
}

/** The values and the page after the steps that a failed act had done. Its error has the rest. */
const reportOf = (result: ActResult): string =>
  [
    ...result.done.flatMap(({ line, note, element }) =>
      note !== null && isValue(note) ? [valueLine(line, note, element)] : [],
    ),
    ...pageLines(result),
  ].join('\n');

/** The same of the answer to a dialog. */
export function dialogReceiptOf(
  line: string,
  result: MethodResult<'dialog.answer'>,
  browser: BrowserId,
): string {
  const { next: dialog, opened = [], blocked = [], tab, navigated, changes: text } = result;
  const notes = blocked.map((url) => `the browser blocked a window of ${url}: tabs can open it`);
  const none = { downloads: [], loading: [], not_tried: [], left: [], console_errors: [], notes };
  const from_url = navigated ? '' : (tab?.url ?? '');
  const seen = { dialog, opened, tab, text, from_url, is_new_document: navigated };
  return receiptOf({ ...none, ...seen, requests: 0, done: [{ line, note: null }] }, { browser, id: '' });
}

type Failed = NonNullable<ActResult['failed']>;

interface Tried {
  readonly browser: BrowserId;
  /** Number of fields and steps of the call. */
  readonly steps: number;
}

/** The number of the failed field or step, from 1. */
const stepNumber = ({ at }: Failed, { done }: ActResult): number => (at ?? done.length) + 1;

/** The failure, the steps done before it, those not tried, and what else came of the act. */
export function failureOf(failed: Failed, result: ActResult, { browser, steps }: Tried): string {
  const { done, not_tried: notTried } = result;
  const noted = done.map(({ line, note }) => (note === null || isValue(note) ? line : `${line} (${note})`));
  const more = [...describeOpened(result, browser), ...errorLines(result), ...result.notes];
  const before = done.length === 0 ? '' : ` Done before it: ${joinLines(noted)}.`;
  const after = notTried.length === 0 ? '' : ` Not tried: ${joinLines(notTried)}.`;
  const meanwhile = more.length === 0 ? '' : ` Meanwhile: ${more.join('; ')}.`;
  const step = `Step ${stepNumber(failed, result)} of ${steps} (${failed.line})`;
  return `${step}: ${failed.message}${before}${after}${meanwhile}`;
}

/** The same for programs; `report` is shown to models too, after the error. */
export function progressOf(failed: Failed, result: ActResult, { browser, steps }: Tried): JsonObject {
  const { done, not_tried: notTried, downloads } = result;
  const opened = result.opened.map(({ id: tabId }) => formatTabId({ browser, tabId }));
  const report = reportOf(result);
  return {
    steps,
    done: done.map(({ line }) => line),
    failed_step: stepNumber(failed, result),
    failed: failed.line,
    not_tried: [...notTried],
    ...(opened.length === 0 ? {} : { opened }),
    ...(downloads.length === 0 ? {} : { downloads: downloads.map((each) => ({ ...each })) }),
    ...(report === '' ? {} : { report }),
    ...(failed.went_to === undefined ? {} : { went_to: failed.went_to }),
  };
}

function joinLines(lines: readonly string[]): string {
  const more = lines.length - LINES_NAMED;
  return `${lines.slice(0, LINES_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
