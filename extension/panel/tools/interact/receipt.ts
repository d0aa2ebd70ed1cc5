/** What one line of a receipt is about. */
type Kind =
  | 'done'
  | 'step'
  | 'page'
  | 'dialog'
  | 'opened'
  | 'download'
  | 'requests'
  | 'error'
  | 'untried'
  | 'change';

/** A receipt by what its lines are about, in their order. */
export type Receipt = Readonly<Record<Kind, readonly string[]>>;

const BEGINNINGS: readonly (readonly [Kind, RegExp])[] = [
  ['done', /^done \d+$/],
  ['page', /^(?:url|title) |^tab closed$/],
  ['dialog', /^dialog /],
  ['opened', /^opened b\d+:\d+ /],
  ['download', /^download |^\d+ more downloads$/],
  ['requests', /^requests \d+ \(act |^still loading /],
  ['error', /^error /],
  ['untried', /^not tried: /],
];

/** A line without the word that says what it is about: its heading says the same. */
export const factOf = (line: string): string =>
  line.replace(/^(?:url|title|dialog|opened|download|requests|error|not tried:) /, '');

/** Lines of other steps come before what is on the page; from the first of those on, all is the page's. */
export function readReceipt(text: string): Receipt {
  const receipt: Record<Kind, string[]> = {
    done: [],
    step: [],
    page: [],
    dialog: [],
    opened: [],
    download: [],
    requests: [],
    error: [],
    untried: [],
    change: [],
  };
  let hasChanges = false;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const known: Kind | undefined = hasChanges
      ? undefined
      : BEGINNINGS.find(([, pattern]) => pattern.test(line))?.[0];
    hasChanges ||= known === undefined && receipt.done.length > 0 && !isNote(line, receipt);
    receipt[known ?? (hasChanges ? 'change' : 'step')].push(line);
  }
  return receipt;
}

/** What has to be known of a step is next to how many were done: `Phone: shows "…"`. */
const isNote = (line: string, { done, page, requests }: Receipt): boolean =>
  done.length > 0 && page.length + requests.length === 0 && /^[^#+~-][^:]*: /.test(line);
