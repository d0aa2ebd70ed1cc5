import { entry, type ErrorEntry } from './error-entry.ts';
import type { JsonObject } from './json.ts';
import { PROGRAM_ERRORS } from './program-errors.ts';
import { RECIPE_ERRORS } from './recipes/errors.ts';
import { UPSTREAM_ERRORS } from './upstream-errors.ts';

export type { ErrorEntry, Fault } from './error-entry.ts';

/**
 * Every error code there is. Codes are never renamed; `docs/errors.md` is made from this table.
 * Messages are written where the error is raised and name the field, handle, tab or hop.
 */
export const ERRORS = {
  invalid_argument: entry('caller', false, 'Correct the named field and call again.'),
  unknown_tool: entry('caller', false, 'Call one of the tools that tools/list names.'),
  api_not_found: entry('caller', false, 'Call an api that the tool declares.'),
  cancelled: entry('caller', true, 'The call was cancelled; call again if the result is still needed.'),
  session_closed: entry('caller', false, 'Open a new session; this one is closed.'),
  call_not_pending: entry('caller', false, 'A pending call is decided only once; read its result instead.'),
  too_many_pending: entry('caller', true, 'Wait until a person has decided the pending calls.'),
  too_many_sessions: entry('caller', true, 'End a session with DELETE, or wait for a call to finish.'),
  human_input_not_found: entry(
    'caller',
    false,
    'Pass the messages and the toolCallId of a pending action; if it is gone, ask the person again.',
  ),
  human_input_answered: entry(
    'caller',
    false,
    'A question is answered only once; continue its conversation.',
  ),
  human_input_expired: entry('caller', true, 'Ask the person again if the answer is still needed.'),
  human_unreachable: entry(
    'caller',
    false,
    'Ask in your reply and end the turn; programs ask with requestHumanInput.',
  ),
  messages_tampered: entry('caller', false, 'Pass the messages of the pending action as they were sent.'),
  call_denied: entry('caller', false, 'A person denied this call; ask them before you call again.'),
  approval_required: entry(
    'caller',
    true,
    'A person is asked in the browser. Make the same call again when they may have decided: it is the same question, and is done once. Or call resume_call with the id.',
  ),
  approval_timeout: entry(
    'caller',
    true,
    'Nobody answered the question in time; call again when the person is there.',
  ),
  approval_expired: entry(
    'caller',
    false,
    'Make the call again with its arguments, if it is still needed. A person is asked again.',
  ),
  policy_denied: entry(
    'caller',
    false,
    'Do without it, or ask the person to change the rule that the message names in the settings of the extension.',
  ),
  agent_stopped: entry(
    'caller',
    false,
    'Stop, and say so to the person, who can let you on in the panel of the browser. Other browsers are not affected.',
  ),
  agent_paused: entry(
    'caller',
    true,
    'Nothing was done. Call again in a while: the person lets you on in the panel of the browser.',
  ),
  budget_exceeded: entry(
    'caller',
    false,
    'Finish with what you have, or ask the person to lift the budget in the panel of the browser. Only run_cancel and oc_connection_health still work.',
  ),
  timeout: entry('spillway', true, 'Call again; if it stays slow, run `spillway doctor`.'),
  internal_error: entry(
    'spillway',
    false,
    'This is a bug in Spillway: run with --log-level debug and report it.',
  ),
  ...UPSTREAM_ERRORS,
  ...RECIPE_ERRORS,
  ...PROGRAM_ERRORS,

  no_current_tab: entry(
    'caller',
    false,
    'Call navigate with a url, or pass tab: "active" or an id from tabs.',
  ),
  tab_not_found: entry('caller', false, 'Call tabs to see the open tabs.'),
  browser_not_found: entry('caller', false, 'Call oc_connection_health to see the connected browsers.'),
  browser_ambiguous: entry('caller', false, 'Pass browser with one of the listed ids.'),
  browser_not_connected: entry(
    'machine',
    true,
    'Start the browser that has the Spillway extension, or start the server with --launch; `spillway doctor` names the failing hop.',
  ),
  browser_disconnected: entry('browser', true, 'Call again: the bridge reconnects by itself.'),
  browser_launch_failed: entry(
    'machine',
    false,
    'Pass the path of a Chromium with --browser, or run `spillway doctor`.',
  ),

  page_forbidden: entry('page', false, 'Browsers do not let extensions read this page; open another page.'),
  page_is_pdf: entry(
    'page',
    false,
    'Read it with read_page as markdown or text, or call fetch with its url.',
  ),
  page_crashed: entry('page', true, 'Call navigate with action "reload", then read again.'),
  tab_discarded: entry('page', true, 'Call navigate with action "reload" to wake the tab, then read again.'),
  page_unresponsive: entry(
    'page',
    true,
    'Call again when the page may be done. Ask the person to answer a dialog that is open in the tab. Or load a page with navigate: a tab that cannot be left is replaced.',
  ),
  tab_busy: entry(
    'caller',
    true,
    'Call again when the other call has ended, or open the page in a tab of its own with tabs.',
  ),
  person_has_tab: entry('caller', true, 'Wait until the person is done, or work in another tab.'),
  page_changed: entry('page', true, 'The page navigated during the read; call again.'),
  navigation_failed: entry(
    'page',
    true,
    'See the net::ERR_ code in the message; check the url and the network.',
  ),
  navigation_timeout: entry(
    'page',
    true,
    'read_page works while a page is still loading; or raise timeout_ms, or pass wait_until: "domcontentloaded".',
  ),
  no_history_entry: entry('caller', false, 'There is nothing to go back or forward to; pass a url.'),
  url_not_allowed: entry('caller', false, 'Use an http:, https: or about:blank url.'),
  selector_invalid: entry('caller', false, 'Correct the selector; the message says what is wrong with it.'),
  selector_not_found: entry('caller', false, 'Read the page without selector to see what it contains.'),
  selector_ambiguous: entry(
    'caller',
    false,
    'Pass one of the refs in the message, or a selector that only one element matches.',
  ),
  ref_not_found: entry('caller', false, 'Take a ref from find, or from read_page with format "snapshot".'),
  stale_ref: entry(
    'caller',
    false,
    'Pass a ref that the message names, or call find: the element is gone or has become another.',
  ),
  target_hidden: entry('page', true, 'Open what contains the element first, or pass another target.'),
  target_disabled: entry('page', true, 'Do first what the page requires to enable it.'),
  target_covered: entry('page', true, 'Close or move what covers it, which the message names.'),
  target_moving: entry('page', true, 'Call again when the element has come to rest, or press keys instead.'),
  target_unsuitable: entry('caller', false, 'Use a step that fits the element, or pass another target.'),
  option_not_found: entry('caller', false, 'Pass one of the options in the message.'),
  field_not_found: entry('caller', false, 'Pass a label that the message names, or a ref.'),
  value_not_taken: entry('page', false, 'The page changed or refused the value; see what it shows now.'),
  not_delivered: entry('page', true, 'Read the page to see its state, then call again.'),
  frame_not_permitted: entry(
    'page',
    false,
    'Read the page to see its state. To act in the frame, ask the person to allow its site.',
  ),
  dialog_open: entry('page', true, 'Call interact with steps: ["dialog accept"] or ["dialog dismiss"].'),
  dialog_not_found: entry('caller', false, 'No dialog is open in the tab; read the page.'),
  secret_not_found: entry('caller', false, 'Pass a name that the file of --secrets contains.'),
  secret_refused: entry(
    'caller',
    false,
    'Type it at a site that the file of --secrets names for it (NAME@site=value), or ask the person to add this one.',
  ),
  password_refused: entry(
    'caller',
    false,
    'Pass secret:NAME with a name from --secrets, or ask the person to log in.',
  ),
  save_refused: entry('caller', false, 'Pass the name of a new file below the folder of --download-root.'),
  upload_refused: entry('caller', false, 'Pass a file below a folder that --upload-root names.'),

  debugger_cancelled: entry(
    'browser',
    false,
    'A person stopped debugging; they can allow it again in the popup of Spillway.',
  ),
  debugger_unavailable: entry(
    'browser',
    true,
    'The debugger cannot attach to this tab; close other debuggers that are attached to it, or use another tab.',
  ),
  capture_not_running: entry('caller', false, 'Call network with action "start", load the page, then slice.'),
  request_not_found: entry('caller', false, 'Call network with action "slice" to see the ids.'),
  robots_disallowed: entry(
    'page',
    false,
    'robots.txt disallows it; pass respect_robots: false to read it anyway.',
  ),
  host_unreachable: entry('page', true, 'No server responds at this address; check the host and port.'),
  dns_failed: entry('page', true, 'The host name cannot be resolved; check the url.'),
  tls_failed: entry('page', false, 'The certificate is not trusted; open the page in a tab to decide.'),
  redirect_loop: entry('page', false, 'The page redirects in a loop; open it in a tab.'),
  response_too_large: entry('page', false, 'What was read up to the limit is kept; call fetch for the rest.'),
  response_timeout: entry('page', true, 'The response did not finish in time; what was received is kept.'),
  redirect_refused: entry(
    'page',
    false,
    'Crawl the address that the message names if its content is wanted.',
  ),
  headers_too_large: entry('page', false, 'The server sends headers that browsers reject.'),
  not_a_page: entry('page', false, 'The url returns a file, not a page; call fetch with the url.'),
  pdf_encrypted: entry('page', false, 'Ask the person to open it, or call fetch with as: "bytes".'),
  pdf_damaged: entry('page', false, 'Call fetch with as: "bytes", or see whether the browser shows it.'),
  pdf_too_complex: entry('page', false, 'Pass fewer pages, or call fetch with as: "bytes".'),
  too_many_requests: entry(
    'page',
    true,
    'The server limits the request rate; crawl it later or with a larger delay_ms.',
  ),
  page_too_complex: entry(
    'page',
    false,
    'Exclude the page from the crawl; call fetch with its url for its source, which is not parsed.',
  ),
  schema_invalid: entry('caller', false, 'Pass a valid JSON Schema (2020-12).'),
  nothing_matched: entry(
    'caller',
    false,
    'Nothing on the page matches the schema; read the page, then pass selectors.',
  ),
  screenshot_failed: entry('page', true, 'Take the viewport, or a smaller element.'),
  part_too_large: entry('page', false, 'Omit this part with include; the other parts are complete.'),

  docs_page_not_found: entry(
    'caller',
    false,
    'Call docs_search, or call docs_fetch without page for a list.',
  ),
  docs_missing: entry('machine', false, 'Rebuild with npm run build.'),

  run_not_found: entry('caller', false, 'The run is unknown or was removed; start it again.'),
  run_not_resumable: entry('caller', false, 'Only an interrupted, cancelled or failed run can be resumed.'),
  run_busy: entry('caller', true, 'Another server is working on this run; follow it with run_status.'),

  output_handle_not_found: entry(
    'caller',
    false,
    'The handle is unknown or has expired; repeat the call that created it.',
  ),
  resource_not_found: entry('caller', false, 'Call resources/list to see what can be read.'),
  invalid_format_for_payload: entry('caller', false, 'Use format "auto" or "bytes" for this handle.'),
  limit_too_small: entry('caller', false, 'Use a limit of at least 4 bytes for text.'),
  invalid_offset: entry('caller', false, 'Use an offset from the message, or the next_offset of a page.'),
  evidence_key_invalid: entry('machine', false, 'Correct the file of --evidence-key, or start without it.'),
  timestamp_failed: entry(
    'machine',
    true,
    'Correct --evidence-timestamp-url if it is wrong, or create the bundle again later.',
  ),
  store_full: entry(
    'machine',
    true,
    'Free disk space or lower --output-max-bytes; stored handles stay readable.',
  ),
  kept_full: entry(
    'caller',
    false,
    'Release an output with output_keep { keep: false }, or raise --output-max-bytes.',
  ),
  store_write_failed: entry('machine', true, 'Check that the store in --home is writable.'),
  store_read_failed: entry('machine', true, 'Check that the store in --home is readable, then call again.'),
  store_corrupt: entry(
    'machine',
    false,
    'The stored output is damaged and is not served; call the tool again.',
  ),
  ledger_unavailable: entry(
    'machine',
    true,
    'Nothing was done: free disk space, or make the folder in the message writable, then call again.',
  ),

  host_no_hello: entry('machine', true, 'The native host did not answer; run `spillway doctor`.'),
  host_refused: entry('machine', false, 'Run `spillway install` again so that both ends share one secret.'),
  wire_version_mismatch: entry('machine', false, 'Update the side that the message names.'),
  frame_too_large: entry('spillway', false, 'A peer exceeded the frame limit; report it with the log.'),
  frame_malformed: entry('spillway', false, 'A peer sent an invalid frame; report it with the log.'),
  stream_corrupt: entry('spillway', true, 'Bytes were lost on the bridge; call again.'),
  slow_consumer: entry('caller', true, 'The reader stopped reading; read faster or ask for a handle.'),
} as const satisfies Record<string, ErrorEntry>;

/** One of the codes in {@link ERRORS}. */
export type ErrorCode = keyof typeof ERRORS;

/** True for a string that is a key of {@link ERRORS}. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** What crosses a wire for an error: `{ error: WireError }` in `content[0].text`. */
export interface WireError {
  /** Stable, lower case: see docs/errors.md. */
  readonly code: ErrorCode;
  /** What happened, with the field or the hop that failed. */
  readonly message: string;
  /** What to do next. */
  readonly hint: string;
  /** The same call may succeed later. */
  readonly retryable: boolean;
  /** Details for programs. The text that models read does not have them: `message` says the same. */
  readonly body?: JsonObject;
}

/** An error with a code. `hint` and `retryable` replace the table's where the place knows better. */
export class SpillwayError extends Error {
  override readonly name = 'SpillwayError';
  /** Stable, lower case: see docs/errors.md. */
  readonly code: ErrorCode;
  /** What to do next. */
  readonly hint: string;
  /** The same call may succeed later. */
  readonly retryable: boolean;
  /** Number of a tab that the failed call left open: what answers for the call says its name. */
  readonly tabId: number | undefined;
  /** Of `approval_required`: the question that a person is asked. */
  readonly questionId: string | undefined;
  /** Details for programs. */
  readonly body: JsonObject | undefined;
  /** What the failed work had achieved: the state of the call's result. */
  readonly state: JsonObject | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      hint?: string | undefined;
      retryable?: boolean | undefined;
      cause?: unknown;
      tabId?: number | undefined;
      questionId?: string | undefined;
      body?: JsonObject | undefined;
      state?: JsonObject | undefined;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? ERRORS[code].hint;
    this.retryable = options.retryable ?? ERRORS[code].retryable;
    this.tabId = options.tabId;
    this.questionId = options.questionId;
    this.body = options.body;
    this.state = options.state;
  }

  /** The four public fields, in the order that golden files pin. */
  toWire(): WireError {
    return { code: this.code, message: this.message, hint: this.hint, retryable: this.retryable };
  }
}

/**
 * Makes a coded error of any thrown value. A catch-all is our fault (`internal_error`), never
 * the caller's; an abort is `cancelled` unless its reason is coded already.
 */
export function toSpillwayError(thrown: unknown): SpillwayError {
  try {
    return toCoded(thrown);
  } catch {
    // What is asked for its message may throw in turn.
    return new SpillwayError('internal_error', 'A value was thrown that cannot be displayed.');
  }
}

function toCoded(thrown: unknown): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  if (thrown instanceof Error) {
    if (thrown.name === 'AbortError')
      return new SpillwayError('cancelled', 'The call was cancelled.', { cause: thrown });
    if (thrown.name === 'TimeoutError')
      return new SpillwayError('timeout', thrown.message, { cause: thrown });
    return new SpillwayError('internal_error', thrown.message || thrown.name, { cause: thrown });
  }
  const message = typeof thrown === 'string' && thrown !== '' ? thrown : `Something threw ${String(thrown)}.`;
  return new SpillwayError('internal_error', message, { cause: thrown });
}
