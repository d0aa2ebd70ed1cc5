import { beforeEach } from 'vitest';
import { FIREFOX_MATRIX, LAUNCHED_FIREFOX_MATRIX } from '../firefox-matrix.ts';
import { IN_FIREFOX, IN_LAUNCHED_FIREFOX } from './engine.ts';
import { withLentBrowser } from './lent-browser.ts';

// A worker's fixture exists only for files that ask for it; its clean-up at the worker's end is needed for all.
withLentBrowser.beforeAll(({ lentBrowser }) => lentBrowser);

if (IN_FIREFOX)
  beforeEach(({ task }) => {
    const matrix = IN_LAUNCHED_FIREFOX ? LAUNCHED_FIREFOX_MATRIX : FIREFOX_MATRIX;
    const [, failing = {}] = Object.entries(matrix).find(([file]) => task.file.filepath.endsWith(file)) ?? [];
    const fails = Object.keys(failing).some((name) => task.name.startsWith(name));
    Object.assign(task, { fails });
  });
