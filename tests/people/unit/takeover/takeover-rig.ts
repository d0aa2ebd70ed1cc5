import { onTestFinished } from 'vitest';
import { TakeoverMemory } from '../../../../extension/people/worker/takeover/memory.ts';
import { PersonTabs } from '../../../../extension/core/person-tabs.ts';
import { Takeovers } from '../../../../extension/people/worker/takeover/takeovers.ts';

export function takeoverRig(kept: { state?: unknown } = {}) {
  const clock = { now: 1_000_000, monotonic: 0 };
  const watched = new Set<number>();
  const tabs = new PersonTabs();
  const changes: [number, boolean][] = [];
  tabs.onChange((tabId, isTaken) => void changes.push([tabId, isTaken]));
  const memory = new TakeoverMemory(
    {
      load: () => Promise.resolve(kept.state),
      save: (state: object) => {
        kept.state = structuredClone(state);
        return Promise.resolve();
      },
    },
    () => clock.now,
    () => clock.monotonic,
  );
  const takeovers = new Takeovers({
    memory,
    tabs,
    onChange: () => undefined,
    isWatched: (tabId) => Promise.resolve(watched.has(tabId)),
  });
  // Its timer would fire again and again: the clock of a test does not run.
  onTestFinished(() => takeovers.forgetServers(() => true));
  return { takeovers, tabs, clock, watched, changes, kept };
}

export const asked = (tabId = 7, more: { limit_ms?: number } = {}) => ({
  tab_id: tabId,
  message: 'Please log in.',
  until: null,
  limit_ms: 600_000,
  ...more,
});

export const AGENT = { server: 'server-one', caller: { session: 's1', name: 'Claude Code' } };
export const ORIGIN = 'https://a.test';
