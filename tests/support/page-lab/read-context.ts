import type { ReadContext } from '../../../extension/core/page/protocol.ts';

/** A read of the only document of a tab. */
export const READ_CONTEXT: ReadContext = {
  refPrefix: '',
  linePrefix: '',
  isTop: true,
  frameName: '',
  follows: false,
  bufferBytes: 1 << 26,
  budget: null,
  isCompared: false,
  isOpen: false,
};
