import { BoundedMap, valueIn } from '../../shared/base/maps.ts';
import {
  SOURCES_MAX,
  type CallScope,
  type FlowSource,
  type ReadSite,
} from '../../shared/core/policy/call-facts.ts';
import { isObject } from '../../shared/base/json.ts';
import { siteOf } from '../../shared/core/policy/sites.ts';
import type { ClientSession } from '../core/context.ts';
import type { FlowCall, Flows, SitesApart } from '../core/flows.ts';
import type { ContentBlock, ToolResult } from '../core/result.ts';
import { AgentTexts } from './agent-texts.ts';
import { leavesOf, sentIn, type SentText } from './sent.ts';

const CALLS_MAX = 1_000;
const HANDLES_MAX = 5_000;
const ADDRESSES_MAX = 20_000;

/** This computer: its clipboard and files, and what other agents have done. */
const HERE: ReadSite = { site: 'file://', is_private: true };
/** Answers of these tools are not of pages, but of this computer. */
const OF_HERE: ReadonlySet<string> = new Set(['clipboard', 'oc_journal', 'output_list']);
const UPSTREAM = /^the upstream (.+)$/;
/** Steps by which text comes from a page, or to one, without an argument. */
const COPIES = /(?:Control|Meta|ControlOrMeta)\+(?:[cx]|Insert)\b/i;
const PASTES = /(?:Control|Meta|ControlOrMeta)\+v\b|Shift\+Insert\b/i;
const PROGRAM = 'script';
const LITERAL_MIN = 4;

/** The name of a file that was saved. */
const SAVED = /"saved_as":\s?"(?:[^"]*[/\\])?([^"/\\]+)"/;
const RUN = /"run_id":\s?"([\w-]{1,80})"/;
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`)\]}]+/g;

/** By origin: the same set grows while its run is active. */
type Sites = Map<string, ReadSite>;

interface AgentMemory {
  readonly texts: AgentTexts;
  /** Addresses that pages have shown, for `strict`. */
  readonly addresses: BoundedMap<string, true>;
  /** The sites of the page where the agent copied by keys last. */
  copied: readonly ReadSite[];
}

/** A program at work: its code and input, and the sites that its calls have read. */
interface Program {
  readonly text: string;
  readonly sites: Sites;
}

const callKey = (session: string, call: string): string => `${session} ${call}`;
const keyOf = ({ session, callId }: FlowCall): string => callKey(session.id, callId);

/** From which sites the texts of calls, handles and runs are. */
function createKnownSites(memoryOf: (session: ClientSession) => AgentMemory) {
  const byCall = new BoundedMap<string, Sites>(CALLS_MAX);
  /** By handle and by run. */
  const stored = new BoundedMap<string, Sites>(HANDLES_MAX);
  const privacy = new BoundedMap<string, boolean>(HANDLES_MAX);
  /** A site that no browser has reported counts as private. */
  const named = (site: string): ReadSite => ({ site, is_private: privacy.get(site) ?? true });

  const sourceOf = (from: string | undefined, session: ClientSession): readonly ReadSite[] => {
    if (from === undefined) return [];
    const upstream = UPSTREAM.exec(from)?.[1];
    if (upstream !== undefined) return [named(`upstream://${upstream}`)];
    const site = siteOf(from);
    if (site !== null) return [named(site.origin)];
    // `the open tabs`: any site that the agent knows.
    const { sites } = memoryOf(session).texts;
    return sites.length === 0 ? [HERE] : sites;
  };

  const sitesOf = (call: FlowCall, result: ToolResult): Sites => {
    const heard = byCall.get(keyOf(call)) ?? new Map<string, ReadSite>();
    const handles = idsIn(call.args).map((id) => stored.get(id));
    const ofHandles = handles.flatMap((sites) => [...(sites?.values() ?? [])]);
    const found = heard.size + ofHandles.length > 0 ? [] : sourceOf(result.from, call.session);
    const here = OF_HERE.has(call.tool) || result.own !== undefined ? [HERE] : [];
    for (const one of [...ofHandles, ...found, ...here]) heard.set(one.site, one);
    return heard;
  };

  return {
    stored,
    sourceOf,
    sitesOf,
    heard: ({ caller, call }: CallScope, sites: readonly ReadSite[]): void => {
      const key = callKey(caller.session, call.call_id);
      const known = byCall.get(key) ?? new Map<string, ReadSite>();
      for (const one of sites) {
        const isPrivate = one.is_private || privacy.get(one.site) === true;
        privacy.set(one.site, isPrivate);
        known.set(one.site, { ...one, is_private: isPrivate });
      }
      byCall.set(key, known);
    },
  };
}

/** The sources of what agents send, each by what that agent was given. */
export function createFlows({ mode }: { readonly mode: SitesApart }): Flows {
  const agents = new WeakMap<ClientSession, AgentMemory>();
  const programs = new BoundedMap<string, Program>(CALLS_MAX);

  const memoryOf = (session: ClientSession): AgentMemory =>
    valueIn(agents, session, () => ({
      texts: new AgentTexts(),
      addresses: new BoundedMap<string, true>(ADDRESSES_MAX),
      copied: [],
    }));

  const { stored, sourceOf, sitesOf, heard } = createKnownSites(memoryOf);

  const give = (
    session: ClientSession,
    texts: readonly string[],
    sites: readonly ReadSite[],
    sent: readonly SentText[] = [],
  ): void => {
    const { texts: known, addresses } = memoryOf(session);
    known.add(texts, sites, sent);
    if (mode !== 'strict') return;
    for (const text of texts) for (const [address] of text.matchAll(ADDRESS)) addresses.set(address, true);
  };

  /** Text that code has made cannot be recognised: all that is not in the code counts as from the sites that it has read. */
  const ofProgram = ({ parent }: FlowCall, texts: readonly string[]): readonly ReadSite[] => {
    const program = parent === undefined ? undefined : programs.get(parent);
    const isMade = texts.some((text) => text.length >= LITERAL_MIN && program?.text.includes(text) === false);
    return isMade ? [...(program?.sites.values() ?? [])].filter((one) => one.is_private) : [];
  };

  return {
    begun: ({ tool, callId, args }) => {
      if (tool === PROGRAM) programs.set(callId, { text: leavesOf(args).join('\n'), sites: new Map() });
    },
    heard,
    arrived: (call, result) => {
      if (result.pending !== undefined) return;
      const sites = sitesOf(call, result);
      if (isKeys(call, COPIES)) memoryOf(call.session).copied = [...sites.values()];
      if (sites.size === 0) return;
      const texts = textsOf(result);
      for (const id of storedBy(result, texts[0])) stored.set(id, sites);
      const program = call.parent === undefined ? undefined : programs.get(call.parent);
      for (const one of sites.values()) program?.sites.set(one.site, one);
      give(call.session, texts, [...sites.values()], sentBy(call));
    },
    given: (session, texts, from) =>
      give(session, texts, [...(stored.get(from)?.values() ?? sourceOf(from, session))]),
    ready: (session) => agents.get(session)?.texts.ready() ?? Promise.resolve(),
    sourcesOf: (call, shown) => {
      const { texts, addresses, copied } = memoryOf(call.session);
      const sent = sentIn(call.tool, call.args);
      const whole = sent.flatMap(({ parts, address }) => address ?? parts);
      // A saved file is of its sites, whatever is in it.
      const names = whole.map((text) => /[/\\]([^/\\]+)$/.exec(text)?.[1] ?? '');
      const saved = names.flatMap((name) => [...(stored.get(name)?.values() ?? [])]);
      const isShown = sent.every(({ address }) => address !== null && addresses.has(address));
      const isClosed = mode === 'strict' && sent.length > 0 && !isShown;
      const found = texts.find(sent, shown === null ? [] : leavesOf(shown), {
        program: ofProgram(call, whole),
        copied: [...(isKeys(call, PASTES) ? copied : []), ...(call.tool === 'interact' ? saved : [])],
        strict: isClosed ? texts.sites.filter((site) => site.is_private) : [],
      });
      return mostPrivate(found).slice(0, SOURCES_MAX);
    },
  };
}

const sentBy = ({ tool, args }: FlowCall): readonly SentText[] => (isObject(args) ? sentIn(tool, args) : []);

const isKeys = ({ tool, args }: FlowCall, keys: RegExp): boolean =>
  tool === 'interact' && leavesOf(args).some((text) => keys.test(text));

const mostPrivate = (sources: readonly FlowSource[]): readonly FlowSource[] =>
  sources.toSorted(
    (one, other) => Number(other.is_private) - Number(one.is_private) || other.characters - one.characters,
  );

/** The handle, the run and the name of the file that have the text of an answer. */
function storedBy({ descriptor }: ToolResult, text = ''): readonly string[] {
  const named = [RUN, SAVED].map((pattern) => pattern.exec(text.slice(0, 4_096))?.[1]);
  return [descriptor?.output_handle, ...named].filter((id) => id !== undefined);
}

/** Texts of arguments that could name a handle or a run. */
const idsIn = (args: unknown): readonly string[] => leavesOf(args).filter(({ length }) => length < ID_UNITS);
const ID_UNITS = 200;

function textsOf({ content, structured, own, ok }: ToolResult): readonly string[] {
  const objects = [ok ? structured : undefined, own].filter((one) => one !== undefined);
  return [...content.flatMap(readBlock), ...objects.map((one) => leavesOf(one).join('\n'))];
}

function readBlock(block: ContentBlock): readonly string[] {
  if (block.type === 'text') {
    // In JSON, characters are escaped that a person sees, and that the agent sends.
    return /^\s*[[{"]/.test(block.text) ? [block.text, unquoted(block.text)] : [block.text];
  }
  return block.type === 'foreign' ? [leavesOf(block.block).join('\n')] : [];
}

const unquoted = (json: string): string => {
  try {
    return leavesOf(JSON.parse(json)).join('\n');
  } catch {
    return '';
  }
};
