import type { JsonObject } from './json.ts';

export type Fault = 'caller' | 'page' | 'browser' | 'machine' | 'spillway';

export interface ErrorEntry {
  /** The next step for the reader, in one sentence. */
  readonly hint: string;
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean;
  readonly fault: Fault;
}

/**
 * Rows of the table: `final` for calls that fail again until something changes, `again` for those that may
 * succeed later.
 */
const entriesOf = (fault: Fault) => ({
  final: (hint: string): ErrorEntry => ({ hint, retryable: false, fault }),
  again: (hint: string): ErrorEntry => ({ hint, retryable: true, fault }),
});
const caller = entriesOf('caller');
const page = entriesOf('page');
const browser = entriesOf('browser');
const machine = entriesOf('machine');
const spillway = entriesOf('spillway');

/**
 * All error codes. Codes are never renamed; `docs/errors.md` is generated from this table. Messages are
 * written where the error is raised and name the field, handle, tab or hop.
 */
export const ERRORS = {
  invalid_argument: caller.final('Correct the named field and call again.'),
  unknown_tool: caller.final('Call one of the tools that tools/list names.'),
  api_not_found: caller.final('Call an api that the tool declares.'),
  cancelled: caller.again('The call was cancelled; call again if the result is still needed.'),
  session_closed: caller.final('Open a new session; this one is closed.'),
  call_not_pending: caller.final('A pending call is decided only once; read its result instead.'),
  too_many_pending: caller.again('Wait until a person has decided the pending calls.'),
  too_many_calls: caller.again('Wait for the answers of earlier calls, then call again.'),
  too_many_sessions: caller.again('End a session with DELETE, or wait for a call to finish.'),
  human_input_not_found: caller.final(
    'Pass the messages and the toolCallId of a pending action; if it is gone, ask the person again.',
  ),
  human_input_answered: caller.final('A question is answered only once; continue its conversation.'),
  human_input_expired: caller.again('Ask the person again if the answer is still needed.'),
  human_unreachable: caller.final('Ask in your reply and end the turn; programs ask with requestHumanInput.'),
  messages_tampered: caller.final('Pass the messages of the pending action as they were sent.'),
  call_denied: caller.final('A person denied this call; ask them before you call again.'),
  approval_required: caller.again(
    'A person is asked in the browser. Make the same call again later: it is the same question, and runs once. Or call resume_call with the id.',
  ),
  approval_too_large: caller.final(
    'Shorten the named argument, or make several smaller calls: a person allows only what a card shows in full.',
  ),
  approval_timeout: caller.again(
    'Nobody answered the question in time; call again when the person is there.',
  ),
  approval_expired: caller.final(
    'Make the call again with its arguments, if it is still needed. A person is asked again.',
  ),
  policy_denied: caller.final(
    'Do without it, or ask the person to change the rule that the message names in the settings of the extension.',
  ),
  agent_stopped: caller.final(
    'Stop, and tell the person: they can resume you in the side panel of the browser. Other browsers are not affected.',
  ),
  agent_paused: caller.again(
    'Nothing was done. Call again later: the person can resume you in the side panel of the browser.',
  ),
  budget_exceeded: caller.final(
    'Finish with what you have, or ask the person to lift the budget in the panel of the browser. Only run_cancel, request_human_input and oc_connection_health still work.',
  ),
  timeout: spillway.again('Call again; if it stays slow, run `spillway doctor`.'),
  internal_error: spillway.final('This is a bug in Spillway: run with --log-level debug and report it.'),

  upstream_page_required: caller.again(
    'Ask the person to open the address in the message, if they trust it; then call again.',
  ),
  upstream_loop: caller.final(
    'Remove the upstream from spillway.json, or give the Spillway behind it a home of its own.',
  ),
  upstream_error: machine.again('See the cause in the message.'),
  upstream_not_accepted: caller.final(
    'Ask the person to accept the server in the side panel or with `spillway upstream accept`; then call again.',
  ),
  upstream_sign_in_required: caller.final(
    'Ask the person to run `spillway upstream login` with the id in the message; then call again.',
  ),
  upstream_changed: caller.final(
    'Ask the person to review the change in the side panel or with `spillway upstream accept`; then call again.',
  ),
  upstream_http_error: machine.final('The message quotes the status and the response of the service.'),
  upstream_credential_missing: machine.final('Ask the person to set it in the headers of the upstream.'),
  client_config_invalid: machine.final('Correct the file that the message names, or leave that client out.'),
  openapi_invalid: machine.final('Correct the document or its address.'),

  recipe_not_found: caller.final('Call recipe_search to list the recipes.'),
  recipe_invalid: caller.final('Correct the place that the message names, and save the recipe again.'),
  recipe_exists: caller.final('Pass replace: true to replace it, or another name.'),
  recipe_has_secret: caller.final(
    'Make the value a parameter, or write secret:NAME with a name of --secrets.',
  ),
  recipe_reference_missing: caller.final(
    'Give the reference a default, or refer to a field that an earlier step returns: {"ok", "text", "structured", "handle", "state"}.',
  ),
  recipe_target_not_found: page.final('Find the element that the recipe means, or do the step yourself.'),

  program_invalid: caller.final('Correct the line that the message quotes, and pass the code again.'),
  program_failed: caller.final(
    'Correct the line that the message quotes, and pass the code again. Earlier calls of the program took effect.',
  ),
  program_limit: caller.final(
    'Do less between two awaits, and keep less: emit items, and read stored outputs with items(handle).',
  ),
  program_diverged: caller.final(
    'A run resumes only with the code that started it. Start a new run; the items of this one stay readable.',
  ),
  program_record_unknown: caller.final(
    'Resume the run with the version of Spillway that started it, or start a new run.',
  ),
  workflow_waits: caller.final(
    'A program continues by itself. For a workflow, call resumeWorkflow with the answer, or at the time in the message.',
  ),
  outcome_unknown: spillway.final(
    'Check whether it took effect. Then resume the run with outcome "skip", or with "retry" to repeat the call.',
  ),

  no_current_tab: caller.final('Call navigate with a url, or pass tab: "active" or an id from tabs.'),
  tab_not_found: caller.final('Call tabs to see the open tabs.'),
  tab_not_given: caller.final(
    'Ask the person for it: call tabs with action "borrow", the tab and a reason. Or open its page in a tab of your own with navigate.',
  ),
  browser_not_found: caller.final('Call oc_connection_health to see the connected browsers.'),
  browser_ambiguous: caller.final('Pass browser with one of the listed ids.'),
  browser_not_connected: machine.again(
    'Start the browser that has the Spillway extension, or start the server with --launch; `spillway doctor` names the failing hop.',
  ),
  browser_disconnected: browser.again('Call again: the bridge reconnects by itself.'),
  browser_launch_failed: machine.final(
    'Pass the path of a Chromium with --browser, or run `spillway doctor`.',
  ),
  queue_unavailable: machine.again('Check Redis, then call run_resume.'),
  no_worker: machine.again('Start `spillway worker` with this --queue, then call run_resume.'),

  page_forbidden: page.final('Browsers do not let extensions read this page; open another page.'),
  page_is_pdf: page.final('Read it with read_page as markdown or text, or call fetch with its url.'),
  page_crashed: page.again(
    'In a tab, call navigate with action "reload", then read again. A run tries the page again with run_resume.',
  ),
  tab_discarded: page.again('Call navigate with action "reload" to wake the tab, then read again.'),
  page_unresponsive: page.again(
    'Call again later, ask the person to answer a dialog that is open in the tab, or load a page with navigate, which replaces a stuck tab.',
  ),
  tab_busy: caller.again(
    'Call again when the other call has ended, or open the page in a tab of its own with tabs.',
  ),
  person_has_tab: caller.again('Wait until the person is done, or work in another tab.'),
  page_changed: page.again('The page navigated during the read; call again.'),
  navigation_failed: page.again('See the net::ERR_ code in the message; check the url and the network.'),
  navigation_timeout: page.again(
    'read_page works while a page is still loading; or raise timeout_ms, or pass wait_until: "domcontentloaded".',
  ),
  no_history_entry: caller.final('There is nothing to go back or forward to; pass a url.'),
  url_not_allowed: caller.final('Use an http:, https: or about:blank url.'),
  selector_invalid: caller.final('Correct the selector; the message says what is wrong with it.'),
  selector_not_found: caller.final('Call find with its words, or read the page without selector.'),
  selector_ambiguous: caller.final(
    'Pass one of the refs in the message, or a selector that only one element matches. Quote a name with spaces: label="First name".',
  ),
  ref_not_found: caller.final('Take a ref from find, or from read_page with format "snapshot".'),
  stale_ref: caller.final(
    'Pass a ref that the message names, or call find: the element is gone or was replaced.',
  ),
  target_hidden: page.again('Open the menu or section that contains the element, or pass another target.'),
  target_disabled: page.again(
    'If the message does not say how to set it, fill in what the page requires to enable it, then call again.',
  ),
  target_covered: page.again('Close or move what covers it, which the message names.'),
  target_moving: page.again('Call again when the element no longer moves, or press keys instead.'),
  target_unsuitable: caller.final('Use a step that fits the element, or pass another target.'),
  option_not_found: caller.final('Pass one of the options in the message.'),
  field_not_found: caller.final('Pass a label that the message names, or a ref.'),
  page_tool_failed: page.final('Correct the arguments by the answer of the page, which the message quotes.'),
  evaluate_failed: page.final('Correct the function: the message says what it threw, or why it did not end.'),
  clipboard_refused: browser.again('Call again, or ask the person to copy or paste.'),
  storage_refused: page.final('Correct the cause that the message quotes, or do without.'),
  value_not_taken: page.final('The page changed or refused the value; see what it shows now.'),
  not_delivered: page.again('Read the page to see its state, then call again.'),
  frame_not_permitted: page.final(
    'Read the page to see its state. To act in the frame, ask the person to allow its site.',
  ),
  dialog_open: page.again('Call interact with steps: ["dialog accept"] or ["dialog dismiss"].'),
  dialog_not_found: caller.final('No dialog is open in the tab; read the page.'),
  secret_not_found: caller.final('Pass a name that the file of --secrets contains.'),
  secret_refused: caller.final(
    'Type it at a site that the file of --secrets names for it (NAME@site=value), or ask the person to add this one.',
  ),
  secret_unavailable: caller.again('Ask the person to unlock the vault, then call again.'),
  password_refused: caller.final('Pass secret:NAME with a name from --secrets, or ask the person to log in.'),
  download_refused: page.final('The message says why; call downloads with action "list" to see the files.'),
  save_refused: caller.final('Name a new file below the folder of --download-root, or of the card.'),
  upload_refused: caller.final('Pass a file below a folder that --upload-root names.'),

  debugger_cancelled: browser.final(
    'A person stopped debugging; they can allow it again in the popup of Spillway.',
  ),
  debugger_unavailable: browser.again(
    'The debugger cannot attach to this tab; close other debuggers that are attached to it, or use another tab.',
  ),
  debugger_restricted: browser.final(
    'A policy of this browser forbids it for this page: read the page, or use another browser. `spillway doctor` names the policy.',
  ),
  unsupported_in_firefox: browser.final('Do without it, or pass browser with the id of a Chromium.'),
  unsupported_in_chromium: browser.final('Do without it, or pass browser with the id of a Firefox.'),
  capture_not_running: caller.final('Call network with action "start", then slice: it has earlier failures.'),
  request_not_found: caller.final('Call network with action "slice" to see the ids.'),
  robots_disallowed: page.final('robots.txt disallows it; pass respect_robots: false to read it anyway.'),
  host_unreachable: page.again('No server responds at this address; check the host and port.'),
  dns_failed: page.again('The host name cannot be resolved; check the url.'),
  tls_failed: page.final('The certificate is not trusted; open the page in a tab to decide.'),
  redirect_loop: page.final('The page redirects in a loop; open it in a tab.'),
  response_too_large: page.final('The part up to the limit is kept; call fetch for the rest.'),
  response_timeout: page.again('The response did not finish in time; the received part is kept.'),
  redirect_refused: page.final('Crawl the address that the message names if you need its content.'),
  headers_too_large: page.final('The server sends headers that browsers reject.'),
  not_a_page: page.final('The url returns a file, not a page; call fetch with the url.'),
  pdf_encrypted: page.final('Ask the person to open it, or call fetch with as: "bytes".'),
  pdf_damaged: page.final('Call fetch with as: "bytes", or see whether the browser shows it.'),
  pdf_too_complex: page.final('Pass fewer pages, or call fetch with as: "bytes".'),
  too_many_requests: page.again(
    'The server limits the request rate; crawl it later or with a larger delay_ms.',
  ),
  page_too_complex: page.final(
    'Exclude the page from the crawl; call fetch with its url for its source, which is not parsed.',
  ),
  schema_invalid: caller.final('Pass a valid JSON Schema (2020-12).'),
  nothing_matched: caller.final(
    'Nothing on the page matches the schema; read the page, then pass selectors.',
  ),
  screenshot_failed: page.again('Take the viewport, or a smaller element.'),
  pdf_failed: page.again('Print other pages of it with pages, or read the page.'),
  part_too_large: page.final('Omit this part with include; the other parts are complete.'),

  docs_page_not_found: caller.final('Call docs_search, or call docs_fetch without page for a list.'),
  docs_missing: machine.final('Rebuild with npm run build.'),

  run_not_found: caller.final('The run is unknown or was removed; start it again.'),
  run_not_resumable: caller.final('Only an interrupted, cancelled or failed run can be resumed.'),
  too_many_runs: caller.again('Wait until other runs have ended, then call again.'),
  run_busy: caller.again('Another server is working on this run; follow it with run_status.'),

  output_handle_not_found: caller.final(
    'The handle is unknown or has expired; repeat the call that created it.',
  ),
  resource_not_found: caller.final('Call resources/list to see what can be read.'),
  invalid_format_for_payload: caller.final('Use format "auto" or "bytes" for this handle.'),
  limit_too_small: caller.final('Use a limit of at least 4 bytes for text.'),
  invalid_offset: caller.final('Use an offset from the message, or the next_offset of a page.'),
  evidence_key_invalid: machine.final('Correct the file of --evidence-key, or start without it.'),
  timestamp_failed: machine.again(
    'Correct --evidence-timestamp-url if it is wrong, or create the bundle again later.',
  ),
  store_full: machine.again('Free disk space or lower --output-max-bytes; stored handles stay readable.'),
  kept_full: caller.final('Release an output with output_keep { keep: false }, or raise --output-max-bytes.'),
  store_write_failed: machine.again('Check that the store in --home is writable.'),
  store_read_failed: machine.again('Check that the store in --home is readable, then call again.'),
  store_corrupt: machine.final('The stored output is damaged and is not served; call the tool again.'),
  ledger_unavailable: machine.again(
    'Nothing was done: free disk space, or make the folder in the message writable, then call again.',
  ),

  host_no_hello: machine.again('The native host did not answer; run `spillway doctor`.'),
  host_refused: machine.final('Run `spillway install` again so that both ends share one secret.'),
  remote_failed: machine.again('Make `ssh` to that machine work in a terminal, then run the command again.'),
  wire_version_mismatch: machine.final('Update the side that the message names.'),
  frame_too_large: spillway.final('A peer exceeded the frame limit; report it with the log.'),
  frame_malformed: spillway.final('A peer sent an invalid frame; report it with the log.'),
  stream_corrupt: spillway.again('Bytes were lost on the bridge; call again.'),
  slow_consumer: caller.again('The reader stopped reading; read faster or ask for a handle.'),
} as const satisfies Record<string, ErrorEntry>;

/** One of the codes in {@link ERRORS}. */
export type ErrorCode = keyof typeof ERRORS;

/** True for a string that is a key of {@link ERRORS}. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** `{ error: WireError }` in `content[0].text`. */
export interface WireError {
  /** Stable, lower case: see docs/errors.md. */
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  /** The same call may succeed later. */
  readonly retryable: boolean;
  /** Details for programs. Models read the same facts in `message`. */
  readonly body?: JsonObject;
  /** Whose text the message quotes: the address of a page, or another server. */
  readonly quotes?: string;
}

interface ErrorFacts {
  readonly hint?: string | undefined;
  readonly retryable?: boolean | undefined;
  readonly cause?: unknown;
  readonly tabId?: number | undefined;
  readonly questionId?: string | undefined;
  readonly body?: JsonObject | undefined;
  readonly state?: JsonObject | undefined;
  /** Default: that of a cause with a code. */
  readonly quotes?: string | undefined;
}

/** Ends a sentence only once: another program's words at its end may have their own full stop. */
const oneStop = (text: string): string => text.replaceAll(/(?<=[^.\s])([.!?])\.(?=\s|$)/g, '$1');

/** An error with a code. `hint` and `retryable` replace the table's if the raising code knows better. */
export class SpillwayError extends Error {
  override readonly name = 'SpillwayError';
  readonly hint: string;
  /** The same call may succeed later. */
  readonly retryable: boolean;
  /** Number of a tab that the failed call left open: the code that answers for the call converts it to a name. */
  readonly tabId: number | undefined;
  /** For `approval_required`: the question for a person. */
  readonly questionId: string | undefined;
  /** Details for programs. */
  readonly body: JsonObject | undefined;
  /** The state of the call's result. */
  readonly state: JsonObject | undefined;
  /** The source of text in the message or hint that is not ours: its delivery marks it like page text. */
  readonly quotes: string | undefined;

  constructor(
    /** Stable, lower case: see docs/errors.md. */
    readonly code: ErrorCode,
    message: string,
    options: ErrorFacts = {},
  ) {
    super(oneStop(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = oneStop(options.hint ?? ERRORS[code].hint);
    this.retryable = options.retryable ?? ERRORS[code].retryable;
    this.tabId = options.tabId;
    this.questionId = options.questionId;
    this.body = options.body;
    this.state = options.state;
    this.quotes =
      options.quotes ?? (options.cause instanceof SpillwayError ? options.cause.quotes : undefined);
  }

  /** The same failure with some facts replaced. */
  with({ message = this.message, ...changes }: ErrorFacts & { readonly message?: string }): SpillwayError {
    return new SpillwayError(this.code, message, { ...this, cause: this, ...changes });
  }

  /** The four public fields, in the order that golden files pin. */
  toWire(): WireError {
    return { code: this.code, message: this.message, hint: this.hint, retryable: this.retryable };
  }
}

/** Facts of the failure of an act that may have been done: nothing may repeat it without looking. */
export const UNKNOWN_OUTCOME = { retryable: false, body: { outcome: 'unknown' } } as const;

/** Whether nobody knows if a failed act was done. */
export const isUnknownOutcome = (failure: { readonly code: string } & Pick<ErrorFacts, 'body'>): boolean =>
  failure.code === 'outcome_unknown' || failure.body?.['outcome'] === 'unknown';

/** The caller has to correct an argument. @param hint replaces that of the table */
export const invalidArgument = (message: string, hint?: string): SpillwayError =>
  new SpillwayError('invalid_argument', message, { hint });

/**
 * Makes a coded error of any thrown value. An unknown error is our fault (`internal_error`), never the
 * caller's; an abort is `cancelled` unless its reason is already coded.
 */
export function toSpillwayError(thrown: unknown): SpillwayError {
  try {
    return toCoded(thrown);
  } catch {
    // Reading the message may throw in turn.
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
