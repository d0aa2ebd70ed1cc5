import { afterAll, afterEach, vi } from 'vitest';
import { endFile } from './end-of-file.ts';

// Files share a process: no test leaves its clock to the next, and no file its stand-ins for a browser.
afterEach(() => void vi.useRealTimers());
afterAll(() => void vi.unstubAllGlobals());
afterAll(endFile);
