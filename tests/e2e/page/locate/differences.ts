/** What only one side finds, and why. */
const DIFFERENCES: readonly { readonly found: RegExp; readonly why: string }[] = [
  { found: /^role=button.*only ours \d+ summary$/, why: 'snapshots call a summary a button' },
  { found: /^role=heading\[level=.*\d h2$/, why: 'aria-level is the level, as in the tree of Chromium' },
  {
    found: /^role=textbox.*only ours \d+ div$/,
    why: 'an editable element is a textbox, as in the tree of Chromium',
  },
  { found: /^role=form: only ours \d+ form$/, why: 'snapshots show a form without a name' },
  { found: /^role=group: only ours \d+ address$/, why: 'HTML-AAM makes a group of an address' },
  { found: /^text=a >> nth=0: only/, why: 'ours follow the order of the page, into shadow trees and frames' },
];

export const isKnown = (difference: string): boolean =>
  DIFFERENCES.some(({ found }) => found.test(difference));
