import { common } from './common.ts';
import { counted } from '../format.ts';
import { catalogue, type Texts } from '../languages.ts';
import { useTexts } from '../use-texts.ts';

/** Words of the parts that faces share. */
const components = {
  ...common,
  empty: 'empty',
  none: 'none',
  null: 'null',
  text: 'Text',
  item: (number: string) => `Item ${number}`,
  noItems: 'No items.',
  caption: 'Items. The button of a row shows all its fields.',
  all: (count: string) => `All ${count}`,
  showAll: (size: string) => `Show all, ${size}`,
  hiddenFields: (count: number) => `${counted(count, 'more field', 'more fields')} in each item.`,
  excerpt: (size: string) =>
    `Of this item, ${size} in size, long texts and lists are cut. The stored output has all of it.`,
  range: (first: string, last: string, total: string) => `${first}–${last} of ${total}`,
  count: (count: number) => counted(count, 'item', 'items'),
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  copyAs: (format: string) => `Copy as ${format}`,
  copyOf: (count: number) => `${counted(count, 'item', 'items')} of this page`,
  notCopied: 'Not copied',
  code: 'Code',
  table: 'Table',
  picture: 'Picture',
  noPicture: 'The picture cannot be shown.',
  checked: 'Done',
  unchecked: 'Not done',
  part: (number: string, total: string) => `Part ${number} of ${total}`,
  showPart: (number: string, total: string) => `Show part ${number} of ${total}`,
  loading: 'Loading',
  page: 'Text of the page',
  search: 'Search in the page',
  previousMatch: 'Previous match',
  nextMatch: 'Next match',
  matchOf: (at: string, total: string) => `${at} of ${total}`,
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
  noteOf: (_note: string, english: string): string => english,
  json: 'JSON',
  returned: 'Returned picture',
  wholeNumber: (least: number, most: number) => `Enter a whole number from ${least} to ${most}.`,
} as const;

export type ComponentWords = Texts<typeof components>;
export const componentTexts = catalogue<ComponentWords>(components);

export const useWords = (): ComponentWords => useTexts(componentTexts);
