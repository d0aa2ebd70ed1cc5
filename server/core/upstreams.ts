/** How an upstream is, for the doctor and for people. */
export interface UpstreamState {
  readonly state: 'starting' | 'ready' | 'failed';
  /** Why it has failed and what to do next; null otherwise. */
  readonly problem: string | null;
}

/** One upstream of this server. */
export interface UpstreamSummary extends UpstreamState {
  readonly id: string;
  /** How many tools it offers. */
  readonly tools: number;
  /** Tools that a person has to look at before they may be called. */
  readonly unaccepted: number;
}

/** The upstreams of this server, as they are now. */
export interface UpstreamSummaries {
  /** In the order in which they are written. */
  report(): readonly UpstreamSummary[];
}

/** Of a server without any. */
export const NO_UPSTREAMS: UpstreamSummaries = { report: () => [] };
