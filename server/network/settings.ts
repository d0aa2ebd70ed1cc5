import { LIMITS } from '../../shared/base/limits.ts';
import { readNumber, setting, wholeNumber, yesOrNo } from '../core/flag.ts';

export const settings = {
  networkCapture: setting({
    flag: '--network-capture <state>',
    help: "capture network traffic of a client's tabs from the start",
    choices: ['on', 'off'],
    read: (state) => state === 'on',
    byDefault: false,
    schema: yesOrNo,
  }),
  /** Ring of a client's captured requests; the oldest are removed first. */
  networkBufferBytes: setting({
    flag: '--network-buffer-bytes <bytes>',
    help: 'captured requests kept per client; the oldest are dropped first',
    read: readNumber,
    byDefault: LIMITS.networkBufferBytes,
    schema: () => wholeNumber({ min: 1_048_576 }),
  }),
  /** A larger captured body is counted, not kept. */
  networkBodyBytes: setting({
    flag: '--network-body-bytes <bytes>',
    help: 'largest captured body or message that is kept, up to 16 MiB',
    read: readNumber,
    byDefault: LIMITS.networkBodyBytes,
    schema: () => wholeNumber({ min: 1_024, max: LIMITS.networkBodyBytesMax }),
  }),
};
