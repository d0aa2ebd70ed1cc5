import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { WIRE_VERSION, WIRE_VERSION_OLDEST } from '../../shared/bridge/wire.ts';
import { ERRORS } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/limits.ts';
import { MANIFESTS } from '../../shared/tools/index.ts';

const ROOT = resolve(import.meta.dirname, '../..');

// Literals on purpose: changing one of these changes what clients, stored handles or an older
// extension rely on, and says so by changing the line here too.

// Listed by default, in this order: what a model's cache begins with. An unlisted tool costs no
// client anything: its manifest alone says so.
test('the tools that are listed, their order and their tiers', () => {
  const listed = MANIFESTS.filter(({ tier }) => tier < 3);
  expect(listed.map(({ name, tier }) => `${name} ${tier}`)).toMatchInlineSnapshot(`
    [
      "tabs 2",
      "navigate 2",
      "read_page 2",
      "find 2",
      "interact 2",
      "network 2",
      "crawl 2",
      "extract_data 2",
      "oc_evidence_bundle 2",
      "oc_output_fetch 1",
      "oc_connection_health 2",
      "run_status 2",
      "run_output 2",
      "find_tools 2",
      "screenshot 2",
    ]
  `);
});

// New tools may join these, at the end: none of these may go, be renamed or change its place.
test('the tools that are not listed, in their order', () => {
  const names = MANIFESTS.filter(({ tier }) => tier === 3).map(({ name }) => name);
  const promised = [
    'run_cancel',
    'run_resume',
    'run_list',
    'run_log',
    'console',
    'docs_search',
    'docs_fetch',
    'html_skeleton',
    'fetch',
    'dialog',
    'oc_journal',
  ] as const;
  expect(names.slice(0, promised.length)).toEqual(promised);
});

test('the error codes', () => {
  expect(Object.keys(ERRORS)).toMatchInlineSnapshot(`
    [
      "invalid_argument",
      "unknown_tool",
      "api_not_found",
      "cancelled",
      "session_closed",
      "call_not_pending",
      "too_many_pending",
      "too_many_sessions",
      "human_input_not_found",
      "human_input_answered",
      "human_input_expired",
      "human_unreachable",
      "messages_tampered",
      "call_denied",
      "approval_required",
      "approval_timeout",
      "approval_expired",
      "policy_denied",
      "agent_stopped",
      "agent_paused",
      "budget_exceeded",
      "timeout",
      "internal_error",
      "upstream_page_required",
      "upstream_loop",
      "upstream_error",
      "upstream_not_accepted",
      "upstream_sign_in_required",
      "upstream_changed",
      "upstream_http_error",
      "upstream_credential_missing",
      "openapi_invalid",
      "recipe_not_found",
      "recipe_invalid",
      "recipe_exists",
      "recipe_has_secret",
      "recipe_reference_missing",
      "recipe_target_not_found",
      "recipe_not_stopped",
      "no_current_tab",
      "tab_not_found",
      "browser_not_found",
      "browser_ambiguous",
      "browser_not_connected",
      "browser_disconnected",
      "browser_launch_failed",
      "page_forbidden",
      "page_is_pdf",
      "page_crashed",
      "tab_discarded",
      "page_unresponsive",
      "tab_busy",
      "person_has_tab",
      "page_changed",
      "navigation_failed",
      "navigation_timeout",
      "no_history_entry",
      "url_not_allowed",
      "selector_invalid",
      "selector_not_found",
      "selector_ambiguous",
      "ref_not_found",
      "stale_ref",
      "target_hidden",
      "target_disabled",
      "target_covered",
      "target_moving",
      "target_unsuitable",
      "option_not_found",
      "field_not_found",
      "value_not_taken",
      "not_delivered",
      "frame_not_permitted",
      "dialog_open",
      "dialog_not_found",
      "secret_not_found",
      "password_refused",
      "upload_refused",
      "debugger_cancelled",
      "debugger_unavailable",
      "capture_not_running",
      "request_not_found",
      "robots_disallowed",
      "host_unreachable",
      "dns_failed",
      "tls_failed",
      "redirect_loop",
      "response_too_large",
      "response_timeout",
      "redirect_refused",
      "headers_too_large",
      "not_a_page",
      "pdf_encrypted",
      "pdf_damaged",
      "pdf_too_complex",
      "too_many_requests",
      "page_too_complex",
      "schema_invalid",
      "nothing_matched",
      "screenshot_failed",
      "part_too_large",
      "docs_page_not_found",
      "docs_missing",
      "run_not_found",
      "run_not_resumable",
      "run_busy",
      "output_handle_not_found",
      "resource_not_found",
      "invalid_format_for_payload",
      "limit_too_small",
      "invalid_offset",
      "evidence_key_invalid",
      "timestamp_failed",
      "store_full",
      "kept_full",
      "store_write_failed",
      "store_read_failed",
      "store_corrupt",
      "ledger_unavailable",
      "host_no_hello",
      "host_refused",
      "wire_version_mismatch",
      "frame_too_large",
      "frame_malformed",
      "stream_corrupt",
      "slow_consumer",
    ]
  `);
});

test('the limits', () => {
  expect(LIMITS).toMatchInlineSnapshot(`
    {
      "bridgeFrameBytes": 524288,
      "browserWaitMs": 5000,
      "callTimeoutMs": 30000,
      "clockJumpMs": 3600000,
      "crawlPageBytes": 16777216,
      "crawlPageTimeoutMs": 30000,
      "debuggerCommandMs": 15000,
      "evidencePartBytes": 536870912,
      "evidencePartMs": 60000,
      "evidenceTimestampMs": 10000,
      "heartbeatIntervalMs": 15000,
      "helloTimeoutMs": 3000,
      "hostChannelBufferBytes": 33554432,
      "hostLookoutMs": 3000,
      "httpBodyBytes": 4194304,
      "humanInputMs": 600000,
      "journalCountMax": 100,
      "journalDays": 30,
      "journalLineBytes": 16384,
      "launchTimeoutMs": 30000,
      "ledgerWaitMs": 10000,
      "navigateTimeoutMs": 30000,
      "networkBodiesBytes": 1073741824,
      "networkBodyBytes": 2097152,
      "networkBodyBytesMax": 16777216,
      "networkBufferBytes": 268435456,
      "networkMemoryBytes": 8388608,
      "networkQueueBytes": 16777216,
      "outputDescriptorBodyBytes": 4096,
      "outputFetchBytes": 32768,
      "outputFetchBytesMax": 8388608,
      "outputFetchItems": 200,
      "outputFetchItemsMax": 10000,
      "outputFetchUtf8Min": 4,
      "outputHandleSweepIntervalSeconds": 300,
      "outputHandleTtlHours": 24,
      "outputInlineLimitBytes": 32768,
      "outputInlineMaxBytes": 16777216,
      "outputMaxBytes": 4294967296,
      "outputPageBytes": 32768,
      "outputPreviewBytes": 2048,
      "pageBufferBytes": 67108864,
      "pageResponseTimeoutMs": 10000,
      "reconnectMaxMs": 30000,
      "reconnectMinMs": 250,
      "redirects": 20,
      "robotsBytes": 524288,
      "runTtlDays": 7,
      "runsAtOnce": 2,
      "shutdownMs": 2000,
      "sitemapBytes": 52428800,
      "socketPathBytes": 107,
      "streamChunkUnits": 61440,
      "streamWindowBytes": 8388608,
      "syncWaitMs": 45000,
      "uploadBytes": 67108864,
      "uploadChunkBytes": 262144,
    }
  `);
});

test('the wire version', () => {
  expect([WIRE_VERSION, WIRE_VERSION_OLDEST]).toEqual([2, 1]);
});

test('every error code is raised somewhere', () => {
  const sources = ['server', 'shared', 'extension'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && join(folder, name) !== join('shared', 'errors.ts'))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  );
  const code = sources.join('\n');
  expect(Object.keys(ERRORS).filter((name) => !code.includes(`'${name}'`))).toEqual([]);
});
