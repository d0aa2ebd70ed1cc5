import { catalogue, text } from '../catalogue.ts';

/** Why there is no connection to the native host: what happened, and the next step. */
const faults = {
  messages: {
    host_not_found: 'No Spillway host is registered with this browser.',
    host_forbidden: 'The Spillway host on this computer does not accept this extension.',
    host_not_started: 'The Spillway host is registered, but could not be started.',
    host_exited: 'The Spillway host on this computer has ended.',
    host_garbled: 'The program registered as the Spillway host does not speak its protocol.',
    host_no_hello: 'The Spillway host was started, but has not answered yet.',
    host_silent: 'The Spillway host no longer answers.',
    host_refused: 'The Spillway host refused this extension.',
    wire_version_mismatch: 'The extension and the host have incompatible versions.',
    unknown: 'The Spillway host cannot be reached.',
  },
  remedies: {
    host_not_found: 'Install it once, in a terminal, or remove this extension.',
    host_forbidden: 'Register it again, in a terminal.',
    host_not_started: 'It may have moved: register it again, in a terminal.',
    host_exited: 'It restarts automatically. If this persists, run the check to see what fails.',
    host_garbled: 'Run the check to see which program is registered.',
    host_no_hello: 'Run the check to see which step hangs.',
    host_silent: 'It restarts automatically. If this persists, run the check to see what hangs.',
    host_refused: 'Register it again, in a terminal.',
    wire_version_mismatch: 'Update the older one.',
    unknown: 'Run the check to see which step fails.',
  },
};

/** The tooltip of the toolbar button, and the title of a notification. */
const badge = {
  questions: text({
    1: 'Spillway: An agent is asking for your permission. Click to decide.',
    other: 'Spillway: {count} questions are waiting for you. Click to decide.',
  }),
  connected: text({
    0: 'Spillway: connected, no agent at the moment',
    one: 'Spillway: connected, {count} server',
    other: 'Spillway: connected, {count} servers',
  }),
  cancelled: 'You cancelled debugging, so agents cannot act. Click to allow it again.',
  recording: 'Spillway: recording what you do',
  connecting: 'Spillway: connecting',
  notConnected: text('Spillway: not connected. {why}'),
  asks: text('{agent} asks for your permission'),
  needs: text('{agent} needs you'),
  /** In the browser's menu of a page. */
  give: text('Give this tab to {agent}'),
};

export const faultTexts = catalogue('faults', faults);
export const badgeTexts = catalogue('badge', badge);

export type LinkFaultKind = keyof typeof faults.messages;

/** A fault as pages receive it. */
export interface ShownFault {
  readonly kind: LinkFaultKind;
  /** The browser's or host's own words, if they add to the kind; else null. */
  readonly message: string | null;
}

const CHECKED: ReadonlySet<LinkFaultKind> = new Set([
  'host_exited',
  'host_garbled',
  'host_no_hello',
  'host_silent',
  'unknown',
]);

/** For an extension whose host has not reported its command: needs no installation. */
export const SPILLWAY = 'npx -y spillway@latest';

/** @param known null until a host has reported it; goes with the host when Spillway is uninstalled */
export const commandOf = (kind: LinkFaultKind, known: string | null): string =>
  `${kind === 'host_not_found' ? SPILLWAY : (known ?? SPILLWAY)} ${CHECKED.has(kind) ? 'doctor' : 'install'}`;
