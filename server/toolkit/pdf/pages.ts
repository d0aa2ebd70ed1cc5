import { SpillwayError } from '../../../shared/errors.ts';

const LIST = /^\d{1,6}(?:-\d{0,6})?(?:,\d{1,6}(?:-\d{0,6})?)*$/;

/**
 * The pages that a selection such as `2-5`, `1,3` or `10-` names, in its order and each once.
 *
 * @throws SpillwayError `invalid_argument` for an invalid selection, or one without a page of the document
 */
export function selectPages(selection: string | undefined, pages: number): readonly number[] {
  const text = selection?.replaceAll(/\s/g, '') ?? '1-';
  if (!LIST.test(text))
    throw new SpillwayError(
      'invalid_argument',
      'pages: takes page numbers and ranges such as "2-5" or "1,3,10-".',
    );
  const selected = new Set<number>();
  for (const part of text.split(',')) {
    const [first = '', last] = part.split('-');
    const end = last === undefined ? Number(first) : last === '' ? pages : Number(last);
    for (let page = Math.max(1, Number(first)); page <= Math.min(end, pages); page += 1) selected.add(page);
  }
  if (selected.size === 0 && pages > 0)
    throw new SpillwayError(
      'invalid_argument',
      `pages: the PDF has ${pages} pages, and ${text} names none of them.`,
    );
  return [...selected];
}

/** `1-3, 7`: page numbers as a reader writes them. */
export function listPages(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const range = ranges.at(-1);
    if (range !== undefined && page === range[1] + 1) range[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}
