import type * as chromium from '../../chromium/debugger/cast.ts';
import { unsupportedInFirefox } from '../unsupported.ts';

export { acknowledge } from '../../chromium/debugger/cast.ts';

/** Firefox draws hidden tabs on request. A film of one would need pictures that come by themselves. */
export const castTab: typeof chromium.castTab = async ({ tabId }, _timeoutMs, pictures) => {
  if (pictures !== undefined) throw unsupportedInFirefox(`A video of tab ${tabId}`);
  return () => Promise.resolve();
};

export const onCastPicture: typeof chromium.onCastPicture = () => () => undefined;
