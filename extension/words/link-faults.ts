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

/** A fault as it is sent to pages. */
export interface ShownFault {
  readonly kind: LinkFaultKind;
  /** What the browser or the host says, in its own words, where that is more than the kind says; or null. */
  readonly message: string | null;
}

const CHECKED: ReadonlySet<LinkFaultKind> = new Set([
  'host_exited',
  'host_garbled',
  'host_no_hello',
  'host_silent',
  'unknown',
]);

/** What to type in a terminal against a fault. */
export const commandOf = (kind: LinkFaultKind): string =>
  CHECKED.has(kind) ? 'spillway doctor' : 'spillway install';
