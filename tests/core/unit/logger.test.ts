import { expect, it, vi } from 'vitest';
import { createLogSink } from '../../../server/core/logger.ts';
import { clean } from '../../../server/libraries/redaction/clean.ts';

it('a log that could not be loaded is loaded again for its next line', async () => {
  const load = vi.fn(() => Promise.reject(new Error('EMFILE')));
  const log = createLogSink('error', load);
  for (const times of [1, 2]) {
    log.error({}, clean`A line.`);
    await new Promise(setImmediate);
    expect(load).toHaveBeenCalledTimes(times);
  }
});
