/** Kinds of acts, within a line. */
export const kinds = {
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
};
