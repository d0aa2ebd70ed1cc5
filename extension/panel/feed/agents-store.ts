import { signal } from '@preact/signals';
import type { FeedAgent, FeedEvent } from '../../../shared/bridge/feed.ts';
import { isHiddenTool } from '../../../shared/tools/names.ts';
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
      const before = known.get(agent.session);
      return {
        session: agent.session,
        name: agent.name,
        version: agent.version,
        server,
        lastAt: Date.parse(agent.last_at),
        site: before?.site ?? null,
        tab: before?.tab ?? null,
        calls: callsOf(agent, before?.calls ?? []),
      };
    });
    this.sessions.value = [...others, ...own];
  }

  #takeCall(server: string, event: CallEvent): void {
    const callId = event.phase === 'progress' ? event.call_id : event.line['call_id'];
    if (typeof callId !== 'string') return;
    if (event.phase === 'begun') return this.#begin(server, event);
    this.sessions.value = this.sessions.value.map((session) => ({
      ...session,
      calls: session.calls.flatMap((call) => {
        if (call.callId !== callId) return [call];
        if (event.phase === 'ended') return [];
        const { done, total = null, message = null } = event;
        return [{ ...call, progress: { done, total, message } }];
      }),
    }));
    if (event.phase === 'ended') this.#place(event);
  }

  #begin(server: string, event: Extract<CallEvent, { phase: 'begun' }>): void {
    const call = runningOf(event.line);
    this.#place(event);
    if (isHiddenTool(call.tool)) return;
    this.sessions.value = this.sessions.value.map((session) =>
      session.session !== call.session || session.server !== server
        ? session
        : {
            ...session,
            lastAt: call.at,
            calls: [...session.calls.filter(({ callId }) => callId !== call.callId), call],
          },
    );
  }

  #place(event: Extract<CallEvent, { line: unknown }>): void {
    const call = runningOf(event.line);
    const site = hostOf(call.args);
    const { tab } = call.args;
    if (site === null && tab === undefined) return;
    this.sessions.value = this.sessions.value.map((session) =>
      session.session === call.session
        ? { ...session, site: site ?? session.site, tab: tab === undefined ? session.tab : String(tab) }
        : session,
    );
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
