import { entry, type ErrorEntry } from './error-entry.ts';

/** Codes of upstreams, a part of the table of `shared/errors.ts`. */
export const UPSTREAM_ERRORS = {
  upstream_page_required: entry(
    'caller',
    true,
    'Ask the person to open the address in the message, if they trust it; then call again.',
  ),
  upstream_loop: entry(
    'caller',
    false,
    'Remove the upstream from spillway.json, or give the Spillway behind it a home of its own.',
  ),
  upstream_error: entry('machine', true, 'See the cause in the message.'),
  upstream_not_accepted: entry(
    'caller',
    false,
    'Ask the person to accept the server in the side panel or with `spillway upstream accept`; then call again.',
  ),
  upstream_sign_in_required: entry(
    'caller',
    false,
    'Ask the person to run `spillway upstream login` with the id in the message; then call again.',
  ),
  upstream_changed: entry(
    'caller',
    false,
    'Ask the person to look at the change in the side panel or with `spillway upstream accept`; then call again.',
  ),
  upstream_http_error: entry('machine', false, 'The message has the status and what the service says.'),
  upstream_credential_missing: entry('machine', false, 'Ask the person to set it in headers.'),
  openapi_invalid: entry('machine', false, 'Correct the document, or where it is read from.'),
} as const satisfies Record<string, ErrorEntry>;
