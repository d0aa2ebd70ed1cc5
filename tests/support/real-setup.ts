import { withLentBrowser } from './lent-browser.ts';

// A fixture of the worker is there for files only that ask for it; what it does at the worker's end is meant for all.
withLentBrowser.beforeAll(({ lentBrowser }) => lentBrowser);
