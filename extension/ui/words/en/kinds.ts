import { catalogue } from '../catalogue.ts';

/** Kinds of acts, within a line. */
const risks = {
  read: 'reading',
  navigate: 'opening pages',
  input: 'typing and clicking',
  submit: 'sending forms',
  download: 'downloads',
  upload: 'uploads',
  dialog: 'answering dialogs',
  evaluate: 'scripts',
  capture_network: 'recording requests',
  crawl: 'crawling',
  borrow_tab: 'using a tab of yours',
  list_tabs: 'listing your tabs',
  read_history: 'searching your history',
  show_tab: 'bringing a tab to the front',
  use_container: 'tabs in your containers',
  carry_text: 'text of other sites',
};

export const kindTexts = catalogue('kinds', { risks });
