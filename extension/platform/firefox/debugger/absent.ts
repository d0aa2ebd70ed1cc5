import type * as chromium from '../../chromium/debugger/absent.ts';
import { unsupportedInFirefox } from '../unsupported.ts';

export const SCRIPTED: typeof chromium.SCRIPTED =
  'Firefox gives extensions no debugger, so a script sent the events. Pages can detect this.';

export const withoutDebugger: typeof chromium.withoutDebugger = (what) => unsupportedInFirefox(what);
