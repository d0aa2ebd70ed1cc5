import { signal } from '@preact/signals';
import type { FeedAgent, FeedEvent } from '../../../shared/core/feed.ts';
import { isHiddenTool } from '../../../shared/core/tools/names.ts';
import { hostOf, runningOf, type ShownCall } from './lines.ts';

/** Calls per agent that a server lists. */
const LISTED_MAX = 8;

type CallEvent = Extract<FeedEvent, { type: 'call' }>;

export interface ActiveSession {
  readonly session: string;
  readonly name: string;
  readonly version: string | null;
  readonly server: string;
  /** When its last call began. */
  readonly lastAt: number;
  /** The site and tab of its last call that named one. */
  readonly site: string | null;
  readonly tab: string | null;
  readonly calls: readonly ShownCall[];
}

/** The sessions of all connected servers, and their current calls. */
export class AgentsStore {
  readonly sessions = signal<readonly ActiveSession[]>([]);

  /** The server has left, with its agents. */
  forget(server: string): void {
    this.sessions.value = this.sessions.value.filter((session) => session.server !== server);
  }

  take(server: string, events: readonly FeedEvent[]): void {
    for (const event of events) {
      if (event.type === 'agents') this.#setAgents(server, event.agents);
      else if (event.type === 'call') this.#takeCall(server, event);
    }
  }

  hasCall(callId: string): boolean {
    return this.sessions.value.some(({ calls }) => calls.some((call) => call.callId === callId));
  }

  #setAgents(server: string, agents: readonly FeedAgent[]): void {
    const known = new Map(this.sessions.value.map((session) => [session.session, session]));
    const others = this.sessions.value.filter((session) => session.server !== server);
    const own = agents.map((agent): ActiveSession => {
      const { session, name, version } = agent;
      const { site = null, tab = null, calls: before = [] } = known.get(session) ?? {};
      const calls = callsOf(agent, before);
      return { session, name, version, server, lastAt: Date.parse(agent.last_at), site, tab, calls };
    });
    this.sessions.value = [...others, ...own];
  }

  #takeCall(server: string, event: CallEvent): void {
    if (event.phase === 'progress') return this.#setProgress(event);
    if (typeof event.line['call_id'] !== 'string') return;
    const call = runningOf(event.line);
    const { tab } = call.args;
    this.sessions.value = this.sessions.value.map((session) => {
      const others = session.calls.filter(({ callId }) => callId !== call.callId);
      const kept = { ...session, calls: event.phase === 'ended' ? others : session.calls };
      if (session.session !== call.session) return kept;
      const site = hostOf(call.args) ?? session.site;
      const placed = { ...kept, site, tab: tab === undefined ? session.tab : String(tab) };
      if (event.phase === 'ended' || session.server !== server || isHiddenTool(call.tool)) return placed;
      return { ...placed, lastAt: call.at, calls: [...others, call] };
    });
  }

  #setProgress(event: Extract<CallEvent, { phase: 'progress' }>): void {
    const { call_id: id, done, total = null, message = null } = event;
    const progress = { done, total, message };
    this.sessions.value = this.sessions.value.map((session) => ({
      ...session,
      calls: session.calls.map((call) => (call.callId === id ? { ...call, progress } : call)),
    }));
  }
}

/** A server lists an agent's first calls: a full list may omit calls that still run. */
function callsOf({ calls }: FeedAgent, before: readonly ShownCall[]): readonly ShownCall[] {
  const known = new Map(before.map((call) => [call.callId, call]));
  const listed = calls
    .filter(({ tool }) => !isHiddenTool(tool))
    .map(
      ({ call_id, tool, since: ts }) =>
        known.get(call_id) ?? runningOf({ id: call_id, ts, event: 'tool_call', call_id, tool }),
    );
  if (calls.length < LISTED_MAX) return listed;
  const ids = new Set(listed.map(({ callId }) => callId));
  return [...listed, ...before.filter(({ callId }) => !ids.has(callId))];
}
