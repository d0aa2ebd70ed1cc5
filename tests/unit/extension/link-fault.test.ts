import { expect, it } from 'vitest';
import { commandOf } from '../../../extension/words/link-faults.ts';
import { faultOfLastError } from '../../../extension/background/host-link.ts';

it.each([
  ['Specified native messaging host not found.', 'host_not_found', 'spillway install'],
  ['Access to the specified native messaging host is forbidden.', 'host_forbidden', 'spillway install'],
  ['Native host has exited.', 'host_exited', 'spillway doctor'],
  [undefined, 'host_exited', 'spillway doctor'],
  ['Something that Chrome says one day.', 'unknown', 'spillway doctor'],
])('%s: %s', (lastError, kind, command) => {
  const fault = faultOfLastError(lastError);
  expect(fault.kind).toBe(kind);
  expect(commandOf(fault.kind)).toBe(command);
});
