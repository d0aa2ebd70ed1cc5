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

export const commandOf = (kind: LinkFaultKind): string =>
  CHECKED.has(kind) ? 'spillway doctor' : 'spillway install';
