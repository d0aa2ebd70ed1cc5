import { LIMITS } from '../../shared/base/limits.ts';
import { OutputMode } from '../../shared/core/descriptor.ts';
import { fraction, oneOf, path, readNumber, setting, wholeNumber } from '../core/flag.ts';

export const settings = {
  /** The `output_mode` of calls that give none. */
  outputModeDefault: setting({
    flag: '--output-mode-default <mode>',
    help: 'output_mode of calls that pass none',
    choices: OutputMode.options,
    byDefault: 'inline',
    schema: () => oneOf(OutputMode.options),
  }),
  /** How long a handle lives; 0 expires at once. */
  outputHandleTtlHours: setting({
    flag: '--output-handle-ttl-hours <hours>',
    help: 'lifetime of a handle (0: expires immediately)',
    read: readNumber,
    byDefault: LIMITS.outputHandleTtlHours,
    schema: () => fraction({ min: 0, max: 87_600 }),
  }),
  outputHandleSweepIntervalSeconds: setting({
    flag: '--output-handle-sweep-interval-seconds <seconds>',
    help: 'interval at which expired handles are removed',
    read: readNumber,
    byDefault: LIMITS.outputHandleSweepIntervalSeconds,
    schema: () => wholeNumber({ min: 1, max: 86_400 }),
  }),
  outputPageBytes: setting({
    flag: '--output-page-bytes <bytes>',
    help: 'size of one page of oc_output_fetch',
    read: readNumber,
    byDefault: LIMITS.outputPageBytes,
    schema: () => wholeNumber({ min: 256, max: LIMITS.outputFetchBytesMax }),
  }),
  /** Size of the store; the oldest handles are removed first. */
  outputMaxBytes: setting({
    flag: '--output-max-bytes <bytes>',
    help: 'size of the store; the oldest handles are removed first',
    read: readNumber,
    byDefault: LIMITS.outputMaxBytes,
    schema: () => wholeNumber({ min: 1_048_576 }),
  }),
  /** The folder that stored outputs may be saved to. Undefined: none. */
  downloadRoot: setting({
    flag: '--download-root <folder>',
    help: 'the folder to which output_keep and downloads may save files',
    schema: () => path('a folder'),
  }),
};
