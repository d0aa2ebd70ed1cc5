import { SpillwayError } from '../../../../shared/base/errors.ts';

/** Of an act whose events scripts have sent. */
export const SCRIPTED: string =
  'The debugger cannot attach to this tab, so a script sent the events. Pages can detect this.';

/** @param what needs it */
export const withoutDebugger = (what: string): SpillwayError =>
  new SpillwayError('debugger_unavailable', `${what}: needs the debugger, which cannot attach to this tab.`);
