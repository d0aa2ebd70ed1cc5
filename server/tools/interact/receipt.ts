import { downloadLine } from '../../../shared/act/downloads.ts';
import { cut, cutUrl } from '../../../shared/cut.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { MethodResult } from '../../../shared/bridge/methods.ts';
import type { BrowserId } from '../../core/services.ts';
import { formatTabId } from '../../core/targets.ts';

type ActResult = MethodResult<'act.run'>;

const URL_UNITS = 150;
const TITLE_UNITS = 100;
const DIALOG_UNITS = 300;
const LINES_NAMED = 12;
const DOWNLOADS_SHOWN = 5;

function pageLines({ tab, from_url: from, is_new_document: isNew }: ActResult): string[] {
  if (tab === null) return ['tab closed'];
  const address = tab.url === from ? [] : [`url ${cutUrl(tab.url, URL_UNITS)}`];
  return isNew ? [...address, `title ${cut(tab.title, TITLE_UNITS)}`] : address;
}

function doneLines({ done, failed }: ActResult): string[] {
  const noted = done.flatMap(({ line, note, element }) => {
    if (note === null) return [];
    return [note.startsWith('= ') ? `${labelOf(element) ?? line} ${note}` : `${line}: ${note}`];
  });
  // The failure names the rest itself.
  if (failed !== null) return noted;
  return [`done ${done.length}`, ...noted];
}

/** The name in `textbox First name`. */
const labelOf = (element = ''): string | undefined => /^\S+ (.+)$/s.exec(element)?.[1];

function dialogLines({ dialog }: ActResult): string[] {
  if (dialog === null) return [];
  const says = JSON.stringify(cut(dialog.message, DIALOG_UNITS));
  return [`dialog ${dialog.type} ${says}: answer it with the step "dialog accept" or "dialog dismiss"`];
}

function trafficLines({ requests, loading }: ActResult, id: string): string[] {
  const lines = requests === 0 ? [] : [`requests ${requests} (act ${id})`];
  return loading.length === 0
    ? lines
    : [...lines, `still loading ${loading.map((url) => cutUrl(url, URL_UNITS)).join(', ')}`];
}

function downloadLines({ downloads }: ActResult): string[] {
  const lines = downloads.slice(-DOWNLOADS_SHOWN).map(downloadLine);
  const more = downloads.length - lines.length;
  return more > 0 ? [...lines, `${more} more downloads`] : lines;
}

/** How to read on if the page did not fit. */
function leftLines({ left, tab }: ActResult): string[] {
  const [first] = left;
  if (first === undefined || tab === null) return [];
  const percent = Math.min(99, Math.max(1, Math.round(first.share * 100)));
  const how = first.ref === null ? 'read_page' : `read_page {"format":"snapshot","ref":"${first.ref}"}`;
  return [`about ${percent} % more: ${how}`];
}

/**
 * Lists each act and its effect, one per line.
 * @param id by which `network` returns the requests of the act
 */
export function receiptOf(
  result: ActResult,
  { browser, id }: { readonly browser: BrowserId; readonly id: string },
): string {
  const lines = [
    ...doneLines(result),
    ...pageLines(result),
    ...dialogLines(result),
    ...result.opened.map(
      ({ id: tabId, url }) => `opened ${formatTabId({ browser, tabId })} ${cutUrl(url, URL_UNITS)}`,
    ),
    ...downloadLines(result),
    ...trafficLines(result, id),
    ...result.console_errors.map((text) => `error ${text}`),
    ...(result.not_tried.length === 0 ? [] : [`not tried: ${named(result.not_tried)}`]),
    ...result.notes,
    ...(result.text === null ? [] : [result.text.trimEnd()]),
    ...leftLines(result),
  ];
  return lines.join('\n');
}

/** One sentence: the failure, the steps done before it, and those not tried. */
export function failureOf(failed: NonNullable<ActResult['failed']>, result: ActResult): string {
  const { done, not_tried: notTried } = result;
  const index = done.length + 1;
  const all = done.length + 1 + notTried.length;
  const before = done.length === 0 ? '' : ` Done before it: ${named(done.map(({ line }) => line))}.`;
  const after = notTried.length === 0 ? '' : ` Not tried: ${named(notTried)}.`;
  return `Step ${index} of ${all} (${failed.line}): ${failed.message}${before}${after}`;
}

/** The same for programs: the steps' lines, and the number of the failed one, from 1. */
export function progressOf(failed: NonNullable<ActResult['failed']>, result: ActResult): JsonObject {
  const { done, not_tried: notTried } = result;
  return {
    steps: done.length + 1 + notTried.length,
    done: done.map(({ line }) => line),
    failed_step: done.length + 1,
    failed: failed.line,
    not_tried: [...notTried],
    ...(failed.went_to === undefined ? {} : { went_to: failed.went_to }),
  };
}

function named(lines: readonly string[]): string {
  const more = lines.length - LINES_NAMED;
  return `${lines.slice(0, LINES_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
