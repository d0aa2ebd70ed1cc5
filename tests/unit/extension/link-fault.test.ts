import { expect, it } from 'vitest';
import { faultOfLastError } from '../../../extension/background/link-fault.ts';

it.each([
  ['Specified native messaging host not found.', 'host_not_found', 'spillway install'],
  ['Native messaging host com.spillway.host is not registered.', 'host_not_found', 'spillway install'],
  ['Access to the specified native messaging host is forbidden.', 'host_forbidden', 'spillway install'],
  ['Failed to start native messaging host.', 'host_not_started', 'spillway install'],
  ['Native host has exited.', 'host_exited', 'spillway doctor'],
  ['Error when communicating with the native messaging host.', 'host_garbled', 'spillway doctor'],
  [undefined, 'host_exited', 'spillway doctor'],
  ['Something that Chrome says one day.', 'unknown', 'spillway doctor'],
])('%s: %s', (lastError, kind, command) => {
  expect(faultOfLastError(lastError)).toMatchObject({ kind, command });
});

it('keeps the words that it does not know', () => {
  expect(faultOfLastError('Something new.').message).toContain('Something new.');
});
