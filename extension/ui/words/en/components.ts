import { catalogue, text } from '../catalogue.ts';
import { commonTexts } from './common.ts';
import { useTexts } from '../use-texts.ts';

/** Words of the parts that faces share. */
const components = {
  empty: 'empty',
  none: 'none',
  null: 'null',
  text: 'Text',
  item: text('Item {number}'),
  noItems: 'No items.',
  caption: 'Items. The button of a row shows all its fields.',
  all: text('All {count}'),
  showAll: text('Show all, {size}'),
  hiddenFields: text({ one: '{count} more field in each item.', other: '{count} more fields in each item.' }),
  excerpt: text(
    'Of this item, {size} in size, long texts and lists are cut. The stored output has all of it.',
  ),
  range: text('{first}–{last} of {total}'),
  count: text({ one: '{count} item', other: '{count} items' }),
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  copyAs: text('Copy as {format}'),
  copyOf: text({ one: '{count} item of this page', other: '{count} items of this page' }),
  notCopied: 'Not copied',
  code: 'Code',
  table: 'Table',
  picture: 'Picture',
  noPicture: 'The picture cannot be shown.',
  checked: 'Done',
  unchecked: 'Not done',
  part: text('Part {number} of {total}'),
  showPart: text('Show part {number} of {total}'),
  loading: 'Loading',
  page: 'Text of the page',
  search: 'Search in the page',
  previousMatch: 'Previous match',
  nextMatch: 'Next match',
  matchOf: text('{at} of {total}'),
  noMatch: 'Not found',
  arriving: 'Waiting for the answer',
  noAnswer: 'The answer is empty.',
  noArguments: 'No arguments.',
  hint: 'What to do',
  body: 'Details',
  state: 'Partial result',
  keptUntil: 'Kept until',
  preview: 'Beginning',
  open: 'Open stored output',
  notes: 'Notes',
  json: 'JSON',
  returned: 'Returned picture',
  wholeNumber: text('Enter a whole number from {least} to {most}.'),
};

export const componentTexts = catalogue('components', components, commonTexts);
export type ComponentWords = ReturnType<typeof componentTexts>;

export const useWords = (): ComponentWords => useTexts(componentTexts);
