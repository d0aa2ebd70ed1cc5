import type { MeterFigures, MeterReading, SessionBudget } from '../../shared/core/meter.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { isObject, type JsonObject } from '../../shared/base/json.ts';
import type { OutputDescriptor } from '../../shared/core/descriptor.ts';
import type { ClientSession } from '../core/context.ts';
import { Listeners } from '../../shared/base/queue.ts';
import { onAbort } from '../../shared/base/async.ts';
import type { ToolResult, ContentBlock } from '../core/result.ts';
import { clean, type CleanText } from '../libraries/redaction/clean.ts';
import { BoundedMap, valueIn } from '../../shared/base/maps.ts';
import { cut } from '../../shared/base/cut.ts';
import { estimateTokens } from '../../shared/base/tokens.ts';

type Figures = { -readonly [Name in keyof MeterFigures]: number };
const noFigures = (): Figures => ({ calls: 0, bytes: 0, tokens: 0, saved_tokens: 0 });

/** Names that are counted separately; later ones share one. */
const NAMES_MAX = 200;
const OTHERS = '(others)';

/** Figures by name. */
class NamedFigures extends Map<string, Figures> {
  of(name: string): Figures {
    return valueIn(this, this.has(name) || this.size < NAMES_MAX ? name : OTHERS, noFigures);
  }

  /** Most tokens first. */
  list(): MeterReading['tools'] {
    const all = [...this].map(([name, figures]) => ({ name, figures: { ...figures } }));
    return all.toSorted((one, other) => other.figures.tokens - one.figures.tokens);
  }
}

/** Share of its budget at which a session is warned. */
const WARNED_AT = 0.8;
/** Handles per session whose savings are counted only once; an older one could be counted again. */
const HANDLES_MAX = 1_000;

class Account {
  readonly figures = noFigures();
  readonly handles = new BoundedMap<string, true>(HANDLES_MAX);
  isWarned = false;

  /** @param limit null without a budget */
  constructor(
    readonly session: Pick<ClientSession, 'id' | 'name'>,
    public limit: number | null,
  ) {}
}

function budgetOf({ limit, figures: { tokens } }: Account): SessionBudget | null {
  if (limit === null) return null;
  const left = Math.max(0, limit - tokens);
  return {
    tokens: limit,
    left,
    state: left === 0 ? 'exceeded' : tokens >= limit * WARNED_AT ? 'warned' : 'fine',
  };
}

const NAME_UNITS = 100;
const formatSessionName = ({ name }: Account['session']): string => cut(name.trim() || 'agent', NAME_UNITS);
/** Sessions of one reading. */
const LISTED_MAX = 100;
/** How much a session may need a person: used-up budgets come first. */
const NEEDS = ['exceeded', 'warned', 'fine', undefined] as const;

/** The sessions that need a person most; of equal ones, the oldest first. */
function sortSessions(accounts: readonly Account[]): MeterReading['sessions'] {
  let left = LISTED_MAX;
  return NEEDS.flatMap((need) => {
    const all = accounts.filter((account) => budgetOf(account)?.state === need);
    const shown = left === 0 ? [] : all.slice(-left);
    left -= shown.length;
    return shown.map((account) => ({
      session: account.session.id,
      agent: formatSessionName(account.session),
      figures: { ...account.figures },
      budget: budgetOf(account),
    }));
  });
}

/** The figures of its session, its agent, its tool, and the total. */
type Entry = readonly Figures[];

export interface MeteredCall {
  readonly tool: string;
  readonly args: unknown;
  readonly session: ClientSession;
}

/** Counts the answers of sessions. Tokens are estimated from the text immediately. */
export class LiveMeter {
  readonly #accounts = new Map<string, Account>();
  readonly #agents = new NamedFigures();
  readonly #tools = new NamedFigures();
  readonly #total = noFigures();
  readonly #seen = new WeakSet<ToolResult>();
  /** Tells that figures have changed. */
  readonly changed = new Listeners<void>();

  constructor(
    /** Null for no bound. */
    private readonly budgetTokens: number | null,
  ) {}

  #accountOf(session: ClientSession): Account {
    const known = this.#accounts.get(session.id);
    if (known !== undefined) return known;
    const account = new Account(session, this.budgetTokens);
    this.#accounts.set(session.id, account);
    onAbort(session.signal, () => this.#accounts.delete(session.id));
    return account;
  }

  /** @throws SpillwayError `budget_exceeded` for a session that has used all of its budget */
  check(session: ClientSession): void {
    const account = this.#accountOf(session);
    const budget = budgetOf(account);
    if (budget?.state !== 'exceeded') return;
    throw new SpillwayError(
      'budget_exceeded',
      `The answers to this session have ${account.figures.tokens} tokens, and its budget is ${budget.tokens}.`,
    );
  }

  /**
   * The sentence that warns a session that has used most of its budget. Null before that, and after the
   * warning was sent.
   */
  warning(session: ClientSession): CleanText | null {
    const account = this.#accountOf(session);
    const budget = budgetOf(account);
    if (account.isWarned || budget?.state !== 'warned') return null;
    account.isWarned = true;
    return clean`${budget.left} of this session's ${budget.tokens} tokens are left. Ask for less: output_mode "handle", find, smaller pages.`;
  }

  /** Counts a call's answer, once. A browser's question does not count as an answer. */
  countAnswer({ tool, args, session }: MeteredCall, result: ToolResult): void {
    if (this.#seen.has(result)) return;
    this.#seen.add(result);
    const { handles } = this.#accountOf(session);
    const entry = this.#entryOf(session, tool);
    const { bytes, tokens } = measure(result);
    const { descriptor } = result;
    const isStored = descriptor !== undefined && !handles.has(descriptor.output_handle);
    // Tokens fetched from one of the session's handles were not saved.
    const isFetched = descriptor === undefined && readsHandleOf(session, args);
    const stored = isStored ? tokensOfPayload(descriptor) : 0;
    const lost = isStored || isFetched ? tokens : 0;
    apply(entry, { calls: 1, bytes, tokens, saved_tokens: stored - lost });
    if (isStored) handles.set(descriptor.output_handle, true);
    this.changed.notify();
  }

  countSent(
    session: ClientSession,
    what: 'tools/list' | 'resources/read' | 'prompts/get',
    text: string,
  ): void {
    const entry = this.#entryOf(session, what);
    const tokens = what === 'tools/list' ? tokensOfList(text) : tokensOfText(text);
    apply(entry, { calls: 1, bytes: Buffer.byteLength(text), tokens, saved_tokens: 0 });
    this.changed.notify();
  }

  #entryOf(session: ClientSession, tool: string): Entry {
    const { figures } = this.#accountOf(session);
    return [figures, this.#agents.of(formatSessionName(session)), this.#tools.of(tool), this.#total];
  }

  of(session: ClientSession): Pick<MeterReading['sessions'][number], 'figures' | 'budget'> {
    const account = this.#accountOf(session);
    return { figures: { ...account.figures }, budget: budgetOf(account) };
  }

  read(): MeterReading {
    return {
      total: { ...this.#total },
      sessions: sortSessions([...this.#accounts.values()]),
      agents: this.#agents.list(),
      tools: this.#tools.list(),
    };
  }

  /**
   * Gives a session more, or no budget at all.
   * @throws SpillwayError `session_closed` if no session with that id is open
   */
  lift(id: string, tokens: number | null): { readonly name: string; readonly budget: SessionBudget | null } {
    const account = this.#accounts.get(id);
    if (account === undefined) throw new SpillwayError('session_closed', 'No open session has that id.');
    account.limit = tokens === null ? null : account.figures.tokens + tokens;
    account.isWarned = false;
    this.changed.notify();
    return { name: account.session.name, budget: budgetOf(account) };
  }
}

/** Pictures and files are not text, so they count nothing. */
function tokensOfPayload({ mime_type: mimeType, size_bytes: sizeBytes, preview }: OutputDescriptor): number {
  if (!/^text\/|json/.test(mimeType)) return 0;
  const shown = preview === null || preview === '' ? 'abcd' : preview;
  return Math.round((tokensOfText(shown) * sizeBytes) / Buffer.byteLength(shown));
}

function apply(entry: Entry, change: MeterFigures): void {
  for (const figures of entry) {
    figures.calls += change.calls;
    figures.bytes += change.bytes;
    figures.tokens += change.tokens;
    figures.saved_tokens += change.saved_tokens;
  }
}

const readsHandleOf = ({ outputs }: ClientSession, args: unknown): boolean =>
  isObject(args) && typeof args['output_handle'] === 'string' && outputs.has(args['output_handle']);

/*
 * The cost of a picture, by the rule that providers publish for o200k models: it is scaled to fit into a square, then
 * its shorter side is reduced, and each tile costs the same.
 */
const SQUARE_PIXELS = 2_048;
const SHORTER_PIXELS = 768;
const TILE_PIXELS = 512;
const TILE_TOKENS = 170;
const BASE_TOKENS = 85;
/** A picture of unknown size counts as one of four tiles. */
const UNKNOWN_TOKENS = BASE_TOKENS + 4 * TILE_TOKENS;
/** A JPEG may have its profile and a thumbnail before its size. */
const HEAD_UNITS = 128 * 1024;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Tokens of a picture of that size. */
function tokensOfSize({ width, height }: Size): number {
  const fit = Math.min(1, SQUARE_PIXELS / Math.max(width, height));
  const reduce = Math.min(1, SHORTER_PIXELS / (Math.min(width, height) * fit));
  const tiles = (side: number): number =>
    Math.max(1, Math.ceil(Math.round(side * fit * reduce) / TILE_PIXELS));
  return BASE_TOKENS + TILE_TOKENS * tiles(width) * tiles(height);
}

/** Tokens of a picture in base64. */
export function tokensOfPicture(base64: string): number {
  const bytes = Buffer.from(base64.slice(0, HEAD_UNITS), 'base64');
  const size = sizeOfPng(bytes) ?? sizeOfGif(bytes) ?? sizeOfWebp(bytes) ?? sizeOfJpeg(bytes);
  return size === null || size.width === 0 || size.height === 0 ? UNKNOWN_TOKENS : tokensOfSize(size);
}

const startsWith = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.length >= at + text.length && bytes.toString('latin1', at, at + text.length) === text;

function sizeOfPng(bytes: Buffer): Size | null {
  if (!startsWith(bytes, 1, 'PNG') || bytes.length < 24) return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function sizeOfGif(bytes: Buffer): Size | null {
  if (!startsWith(bytes, 0, 'GIF8') || bytes.length < 10) return null;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function sizeOfWebp(bytes: Buffer): Size | null {
  if (!startsWith(bytes, 0, 'RIFF') || !startsWith(bytes, 8, 'WEBP') || bytes.length < 30) return null;
  if (startsWith(bytes, 12, 'VP8X'))
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (startsWith(bytes, 12, 'VP8L')) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

/** In the first segment that starts a frame: SOF0 to SOF15, except three that are tables. */
function sizeOfJpeg(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff_d8) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** A longer text is estimated from this many parts of it, spread evenly. */
const SAMPLES = 8;
const SAMPLE_UNITS = 2_048;

/** Tools have more tokens than their texts alone: of the default list, the sum is that of o200k, as in README. */
const LIST_FACTOR = 1.027;
export const tokensOfList = (text: string): number => Math.round(tokensOfText(text) * LIST_FACTOR);

/** Tokens of a text of any length. */
export function tokensOfText(text: string): number {
  const sampled = SAMPLES * SAMPLE_UNITS;
  if (text.length <= sampled) return Math.ceil(estimateTokens(text));
  let sum = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const from = Math.floor((sample * text.length) / SAMPLES);
    sum += estimateTokens(text.slice(from, from + SAMPLE_UNITS));
  }
  return Math.ceil((sum * text.length) / sampled);
}

class Parts {
  tokens = 0;
  /** Text in UTF-8, anything else in base64. */
  bytes = 0;

  text(text: string): void {
    this.tokens += tokensOfText(text);
    this.bytes += Buffer.byteLength(text);
  }

  picture(base64: string): void {
    this.tokens += tokensOfPicture(base64);
    this.bytes += base64.length;
  }

  /** Files do not reach models as they are: they only cost bytes. */
  file(base64: string): void {
    this.bytes += base64.length;
  }

  block(block: ContentBlock): void {
    if (block.type === 'text') this.text(block.text);
    else if (block.type === 'image') this.picture(block.data);
    else if (block.type === 'blob') this.file(block.data);
    else this.foreign(block.block);
  }

  /** A block in MCP's form, or in a provider's own. */
  foreign(block: JsonObject): void {
    const { type, text, data, source, resource } = block;
    if (typeof text === 'string') return this.text(text);
    const base64 = typeof data === 'string' ? data : isObject(source) ? source['data'] : undefined;
    if (typeof base64 === 'string') return type === 'image' ? this.picture(base64) : this.file(base64);
    if (isObject(resource) && typeof resource['text'] === 'string') return this.text(resource['text']);
    if (isObject(resource) && typeof resource['blob'] === 'string') return this.file(resource['blob']);
    this.text(JSON.stringify(block));
  }
}

/** The blocks of an answer of a caller's own tool, if it has any. */
function ownBlocks(own: unknown): readonly JsonObject[] | null {
  const list: unknown = isObject(own) ? own['content'] : own;
  if (!Array.isArray(list)) return null;
  const blocks = list.filter((block) => isObject(block) && typeof block['type'] === 'string');
  return blocks.length > 0 && blocks.length === list.length ? blocks : null;
}

/** Splits an answer into its parts. A part that is also sent as an object counts once. */
function measure({ content, own }: Pick<ToolResult, 'content' | 'own'>): Parts {
  const parts = new Parts();
  const blocks = own === undefined ? null : ownBlocks(own);
  if (typeof own === 'string') parts.text(own);
  else if (blocks !== null) for (const block of blocks) parts.foreign(block);
  else for (const block of content) parts.block(block);
  return parts;
}
