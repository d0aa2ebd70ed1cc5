import { beforeEach, expect, it } from 'vitest';
import { DebuggerSessions } from '../../../../extension/platform/chromium/debugger/sessions.ts';
import { personHasTab } from '../../../../extension/core/person-tabs.ts';
import { codeOf } from '../../../support/code-of.ts';
import {
  FakeCancelMemory,
  FakeDebugger,
  FakeHeldMemory,
} from '../../../core/unit/extension/fake-debugger.ts';

const TAB = 7;
const never = new AbortController().signal;
let fake: FakeDebugger;
let sessions: DebuggerSessions;

beforeEach(() => {
  fake = FakeDebugger.install();
  sessions = new DebuggerSessions(new FakeCancelMemory(), new FakeHeldMemory());
});

it('takes the debugger from all who have it, and keeps it until the tab is given back', async () => {
  const leases = [await sessions.acquire(TAB, never), await sessions.acquire(TAB, never)];
  const back = sessions.lend(TAB, personHasTab(TAB));
  expect(fake.attached.has(TAB)).toBe(false);
  for (const lease of leases) {
    expect(lease.signal.reason).toMatchObject({ code: 'person_has_tab' });
    expect(await codeOf(lease.send('Page.reload'))).toBe('person_has_tab');
    await lease.release();
  }
  expect(await codeOf(sessions.acquire(TAB, never))).toBe('person_has_tab');
  expect(await sessions.acquire(TAB + 1, never)).toBeDefined();
  back();
  const lease = await sessions.acquire(TAB, never);
  expect(fake.attached.has(TAB)).toBe(true);
  await lease.release();
  expect(fake.attached.has(TAB)).toBe(false);
});

it('a pending attachment is refused, and nothing stays attached', async () => {
  const code = codeOf(sessions.acquire(TAB, never));
  sessions.lend(TAB, personHasTab(TAB));
  expect(await code).toBe('person_has_tab');
  expect(fake.attached.size).toBe(0);
});

it('an end that was called before does not end the next one', async () => {
  const first = sessions.lend(TAB, personHasTab(TAB));
  sessions.lend(TAB, personHasTab(TAB));
  first();
  expect(await codeOf(sessions.acquire(TAB, never))).toBe('person_has_tab');
});
