import { formatNumber } from '../../../words/format.ts';
import type { WidgetWords } from '../words.ts';
import { UNREACHED, type Shown, type ShownError } from './answer.ts';
import type { Page } from './pages.ts';

/** A host may pass anything; formats accept only locales. */
export function canonicalLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Null if the answer is shown without a sentence. */
export function saidOf(shown: Shown, words: WidgetWords): string | null {
  if (shown.kind === 'error') return words.saidFailed(messageOfError(shown.error, words));
  if (shown.kind === 'pending') return words.waitingForApproval;
  return shown.kind === 'nothing' ? words.answered : null;
}

/** A failure in words: the server's, else the widget's. */
export function messageOfError({ code, message }: ShownError, { errors }: WidgetWords): string {
  if (message !== '') return message;
  if (code === UNREACHED.code) return errors.unreached;
  return code === 'pending' ? errors.pending : errors.unknown;
}

/** `21–40 of 412` */
export const rangeOf = ({ offset, rows, total }: Page, words: WidgetWords): string =>
  words.range(formatNumber(offset + 1), formatNumber(offset + rows.length), formatNumber(total));
