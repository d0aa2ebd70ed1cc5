import { SpillwayError } from '../../../shared/base/errors.ts';

/** The error of a call for something that Firefox offers to no extension. @param what begins the message */
export const unsupportedInFirefox = (what: string, hint?: string): SpillwayError =>
  new SpillwayError('unsupported_in_firefox', `${what}: Firefox offers this to no extension.`, { hint });
