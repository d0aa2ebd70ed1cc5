import { type ErrorCode, SpillwayError } from './errors.ts';

const OWN_WORDS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['cancelled', 'session_closed', 'too_many_pending', 'call_denied', 'approval_required'] as const),
  ...(['approval_timeout', 'approval_expired', 'policy_denied', 'agent_stopped', 'agent_paused'] as const),
  ...(['budget_exceeded', 'no_current_tab', 'tab_not_found', 'tab_not_given', 'tab_discarded'] as const),
  ...(['page_crashed', 'person_has_tab', 'no_history_entry', 'dialog_not_found'] as const),
  ...(['browser_disconnected', 'debugger_cancelled', 'debugger_restricted', 'ledger_unavailable'] as const),
  ...(['api_not_found', 'capture_not_running', 'frame_too_large', 'frame_malformed'] as const),
  ...(['wire_version_mismatch', 'slow_consumer', 'stream_corrupt', 'upstream_not_accepted'] as const),
]);

/**
 * Whether an error of a browser or another server may have text of a page or that server. The texts of the other
 * codes name only tabs, sites, rules, agents and limits.
 */
export const mayQuote = (code: ErrorCode): boolean => !OWN_WORDS.has(code);

/** A failure with the source of the text that it may quote, unless it has one. */
export const asQuoting = (thrown: unknown, quotes: string): unknown =>
  thrown instanceof SpillwayError && mayQuote(thrown.code)
    ? thrown.with({ quotes: thrown.quotes ?? quotes })
    : thrown;
