import { expect, it } from 'vitest';
import { commandOf } from '../../../extension/words/link-faults.ts';
import { faultOfLastError, messageOfFault } from '../../../extension/background/link-fault.ts';

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
  const fault = faultOfLastError(lastError);
  expect(fault.kind).toBe(kind);
  expect(commandOf(fault.kind)).toBe(command);
});

it('keeps the words that it does not know', () => {
  expect(messageOfFault(faultOfLastError('Something new.'))).toContain('Something new.');
});
