import { z } from 'zod';
import { isObject, type JsonObject } from '../../base/json.ts';

/**
 * For whom a page is read or acted on. Refs belong to the session that was shown them, and one session at a
 * time acts on a tab.
 */
export const Caller = z.object({
  /** Unique among all sessions of all servers. */
  session: z.string().min(1).max(64),
  /** The agent's name, for messages and for the person: `claude-code`. */
  name: z.string().max(100),
  /** The client's version, if it gave one. */
  version: z.string().max(64).optional(),
});
export type Caller = z.infer<typeof Caller>;

/** A SHA-256, in hexadecimal. */
export const Digest = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * How the text of a site was recognised in a call. `program`, `copied`, `strict` and `part`: by nothing, as code has made
 * it, keys carry it, or it could not be.
 */
export const FlowHow = z.enum(['text', 'value', 'token', 'decoded', 'program', 'copied', 'strict', 'part']);
export type FlowHow = z.infer<typeof FlowHow>;

/** Most sources of one call, and most passages of each that a card marks. */
export const SOURCES_MAX = 20;
export const PASSAGES_MAX = 20;
const PASSAGE_UNITS = 400;

/** A site from which the arguments of a call have text. */
export const FlowSource = z.object({
  /** Its origin: `https://mail.example`, `file://` for this computer, `upstream://github` for another server. */
  site: z.string().min(1).max(300),
  /** The registered name that all subdomains share, such as `example.co.uk`; without one, the origin. */
  group: z.string().min(1).max(300),
  /** False for text that everybody gets. */
  is_private: z.boolean(),
  how: FlowHow,
  passages: z.int().min(0),
  /** Folded characters. */
  characters: z.int().min(0),
  /** Parts of the shown arguments, for the card to mark. */
  marks: z.array(z.string().max(PASSAGE_UNITS)).max(PASSAGES_MAX),
});
export type FlowSource = z.infer<typeof FlowSource>;

/** Longest mark. */
export const MARK_UNITS = PASSAGE_UNITS;

/** The call behind a request, for the worker to ask a person about it. */
export const CallFacts = z.object({
  /** Unique in the server. */
  call_id: z.string().min(1).max(128),
  tool: z.string().min(1).max(128),
  /** The tool's title, for the card. */
  title: z.string().max(200),
  /** The tool's arguments, redacted, for display. Null if they are too large to show. */
  args: z.custom<JsonObject>((value) => isObject(value)).nullable(),
  /** The largest of arguments that are too large to show, for the message: `code has 70000 characters`. */
  largest: z.string().max(200).optional(),
  /** No argument was redacted or left out: a person may edit them. */
  is_editable: z.boolean(),
  /** SHA-256 of the canonical JSON of the arguments as they run. */
  args_hash: Digest,
  /** From which sites the agent has text of the arguments. */
  sources: z.array(FlowSource).max(SOURCES_MAX).optional(),
});
export type CallFacts = z.infer<typeof CallFacts>;

/** The agent and call behind a request to the browser. */
export const CallScope = z.object({
  caller: Caller,
  call: CallFacts,
  /**
   * The server would let the agent's own client ask its person. Only counts if the browser's person permits
   * that.
   */
  asks: z.literal('client').optional(),
  /** Identifies the server's home: another server of that home may receive its reports. */
  home: Digest.optional(),
});
export type CallScope = z.infer<typeof CallScope>;

/** The member of a request's parameters with its {@link CallScope}, next to the method's own. */
export const CALL_SCOPE = '$call';

/** A site whose text a browser gave to a call. */
export const ReadSite = z.object({ site: z.string().max(300), is_private: z.boolean() });
export type ReadSite = z.infer<typeof ReadSite>;

/** The member of an answer with the sites whose text it may have, next to the method's own. */
export const READ_SITES = '$sites';
