import { withLentBrowser } from './lent-browser.ts';

// A worker's fixture exists only for files that ask for it; its clean-up at the worker's end is needed for all.
withLentBrowser.beforeAll(({ lentBrowser }) => lentBrowser);
