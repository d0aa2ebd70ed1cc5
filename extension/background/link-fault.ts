import { HOST_NAME } from '../../shared/bridge/wire.ts';
import { type LinkFaultKind, type ShownFault } from '../words/link-faults.ts';
import { faultTexts } from '../words/link.ts';

/** Why there is no connection. */
export type LinkFault = ShownFault;

/** The fault of a kind; `message` is shown instead of the general sentence where more is known. */
export const linkFault = (kind: LinkFaultKind, message: string | null = null): LinkFault => ({
  kind,
  message,
});

/*
 * Chrome has only sentences for these (chrome/browser/extensions/api/messaging and
 * extensions/browser/api/messaging); each pattern is the part that has not changed over the years.
 */
const patterns: readonly (readonly [RegExp, LinkFaultKind])[] = [
  [/host not found|is not registered/i, 'host_not_found'],
  [/is forbidden/i, 'host_forbidden'],
  [/failed to start/i, 'host_not_started'],
  [/has exited/i, 'host_exited'],
  [/error when communicating/i, 'host_garbled'],
];

/** Maps `runtime.lastError` of a native port that was disconnected to a fault. */
export function faultOfLastError(lastError: string | undefined): LinkFault {
  if (lastError === undefined || lastError === '') return linkFault('host_exited');
  const known = patterns.find(([pattern]) => pattern.test(lastError));
  if (known !== undefined) return linkFault(known[1]);
  return linkFault('unknown', `The browser cannot reach ${HOST_NAME}: ${lastError}`);
}

/** What agents read of a fault. */
export const messageOfFault = ({ kind, message }: LinkFault): string =>
  message ?? faultTexts.en[kind].message;
