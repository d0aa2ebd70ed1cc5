import { expect, it } from 'vitest';
import { badgeOf } from '../../../../extension/core/worker/badge.ts';

const CONNECTED = { kind: 'connected', host: {} } as Parameters<typeof badgeOf>[0];

it.each([
  [0, false, 'on', 'connected'],
  [2, false, '2', '2 questions'],
  [0, true, '!', 'You cancelled debugging'],
  [2, true, '2', '2 questions are waiting for you. Click to decide. You cancelled debugging'],
] as const)('%i questions, debugging off: %s: the badge is %s', (questions, isCancelled, text, title) => {
  const badge = badgeOf(CONNECTED, { servers: 1, questions, isCancelled }, 'en');
  expect(badge.text).toBe(text);
  expect(badge.title).toContain(title);
  expect(badge.colour === '#b42318').toBe(isCancelled);
});

it.each([
  ['host_not_found', ''],
  ['host_exited', '!'],
] as const)('of a browser whose host is %s the badge is "%s", and says what to type', (kind, text) => {
  const state = { kind: 'failed', fault: { kind, message: null } } as Parameters<typeof badgeOf>[0];
  const badge = badgeOf(state, { servers: 0, questions: 0, isCancelled: false }, 'en');
  expect(badge.text).toBe(text);
  expect(badge.title).toMatch(/npx -y spillway@latest (?:install|doctor)/);
});
