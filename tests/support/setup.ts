import { afterAll, afterEach, vi } from 'vitest';
import { endFile } from './end-of-file.ts';

// Files share a process: no test leaves its clock to the next.
afterEach(() => void vi.useRealTimers());
afterAll(endFile);
