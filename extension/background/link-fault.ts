import { HOST_NAME } from '../../shared/bridge/wire.ts';

/** Why there is no connection to the native host. */
export type LinkFaultKind =
  | 'host_not_found'
  | 'host_forbidden'
  | 'host_not_started'
  | 'host_exited'
  | 'host_garbled'
  | 'host_no_hello'
  | 'host_silent'
  | 'host_refused'
  | 'wire_version_mismatch'
  | 'unknown';

/** A fault and what a person can do about it. */
export interface LinkFault {
  readonly kind: LinkFaultKind;
  /** What happened, in one sentence. */
  readonly message: string;
  /** The next step, in one sentence. */
  readonly remedy: string;
  /** What to type in a terminal, or null. */
  readonly command: string | null;
}

const INSTALL = 'spillway install';
const DOCTOR = 'spillway doctor';

const faults: Record<LinkFaultKind, Omit<LinkFault, 'kind'>> = {
  host_not_found: {
    message: 'No Spillway host is registered with this browser.',
    remedy: 'Install it once, in a terminal.',
    command: INSTALL,
  },
  host_forbidden: {
    message: 'The Spillway host on this computer does not list this extension.',
    remedy: 'Register it again, in a terminal.',
    command: INSTALL,
  },
  host_not_started: {
    message: 'The Spillway host is registered, but could not be started.',
    remedy: 'It may have moved: register it again, in a terminal.',
    command: INSTALL,
  },
  host_exited: {
    message: 'The Spillway host on this computer has ended.',
    remedy: 'It restarts automatically. If this persists, run the check to see what fails.',
    command: DOCTOR,
  },
  host_garbled: {
    message: 'The program registered as the Spillway host does not speak its protocol.',
    remedy: 'Run the check to see which program is registered.',
    command: DOCTOR,
  },
  host_no_hello: {
    message: 'The Spillway host was started, but does not respond.',
    remedy: 'Run the check to see which step hangs.',
    command: DOCTOR,
  },
  host_silent: {
    message: 'The Spillway host no longer answers.',
    remedy: 'It restarts automatically. If this persists, run the check to see what hangs.',
    command: DOCTOR,
  },
  host_refused: {
    message: 'The Spillway host refused this extension.',
    remedy: 'Register it again, in a terminal.',
    command: INSTALL,
  },
  wire_version_mismatch: {
    message: 'The extension and the host have incompatible versions.',
    remedy: 'Update the older one.',
    command: INSTALL,
  },
  unknown: {
    message: 'The Spillway host cannot be reached.',
    remedy: 'Run the check to see which step fails.',
    command: DOCTOR,
  },
};

/** The fault of a kind; `message` replaces the general one where more is known. */
export function linkFault(kind: LinkFaultKind, message?: string): LinkFault {
  const fault = faults[kind];
  return { kind, ...fault, message: message ?? fault.message };
}

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

/** Maps `runtime.lastError` of a native port that was disconnected to a fault with a remedy. */
export function faultOfLastError(lastError: string | undefined): LinkFault {
  if (lastError === undefined || lastError === '') return linkFault('host_exited');
  const known = patterns.find(([pattern]) => pattern.test(lastError));
  if (known !== undefined) return linkFault(known[1]);
  return linkFault('unknown', `The browser cannot reach ${HOST_NAME}: ${lastError}`);
}
