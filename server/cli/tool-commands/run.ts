import { withOwnCommands } from '../../core/machine/command-line.ts';
import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';
import { parseJson } from '../../../shared/base/json-schema.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import type { ToolName } from '../../../shared/core/tools/index.ts';
import { readShown, type ShownValue } from '../../../shared/core/tools/shown.ts';
import { SpillwayError, invalidArgument } from '../../../shared/base/errors.ts';
import type { App } from '../../core/app.ts';
import { parseArguments } from '../../core/calls/arguments.ts';
import type { ToolCall } from '../../core/calls/call.ts';
import type { ClientSession, Progress } from '../../core/context.ts';
import { createSession } from '../../core/registry/session.ts';
import type { ToolResult } from '../../core/result.ts';
import type { SessionSettings } from '../options.ts';
import type { OutputDescriptor } from '../../../shared/core/descriptor.ts';
import type { CommandPlan, PlannedCall } from './table.ts';
import { ReaderGone, type Terminal } from './terminal.ts';
import { decodeText } from '../../core/file-stream.ts';

/** Reads a stored output from its beginning. */
type ReadStored = (handle: string) => AsyncIterable<Uint8Array>;

export interface Printing {
  readonly readStored: ReadStored;
  /** The call asked for a handle: the answer is its descriptor. */
  readonly wantsHandle: boolean;
  /** Bytes would go to a person's terminal. */
  readonly isInteractive: boolean;
}

type Piece = string | Uint8Array;

/** Only bytes have no preview. */
const isText = ({ preview }: OutputDescriptor): boolean => preview !== null;

/** The notes of a result, one a line: everything besides its payload. */
function notesOf({ content }: ToolResult): readonly string[] {
  const [, ...rest] = content;
  const texts = rest.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
}

/** A successful result as text, or as its bytes. Crawled pages follow each other, each below its address. */
export async function* plainPieces(result: ToolResult, printing: Printing): AsyncGenerator<Piece> {
  const { descriptor } = result;
  const [first] = result.content;
  if (descriptor !== undefined && !printing.wantsHandle) {
    yield* storedPieces(descriptor, printing);
  } else if (first.type === 'text') {
    const items = descriptor === undefined ? pagesIn(result.structured) : null;
    if (items === null) yield first.text;
    else for (const item of items) yield pageText(item);
    if (printing.isInteractive && items === null && !first.text.endsWith('\n')) yield '\n';
  } else if (first.type !== 'foreign') {
    refuseBytes(first.mimeType, printing);
    yield Buffer.from(first.data, 'base64');
  }
}

async function* storedPieces(descriptor: OutputDescriptor, printing: Printing): AsyncGenerator<Piece> {
  const { output_handle: handle, mime_type: mimeType, item_count: count } = descriptor;
  if (!isText(descriptor)) refuseBytes(mimeType, printing);
  const bytes = printing.readStored(handle);
  if (!isText(descriptor)) yield* bytes;
  else if (count === null) yield* decodeText(bytes, 'utf-8');
  else
    for await (const item of storedItems(bytes)) {
      const [page] = pagesIn({ items: [item] }) ?? [];
      yield page === undefined ? `${JSON.stringify(item)}\n` : pageText(page);
    }
}

/** @throws SpillwayError `invalid_argument` where bytes would be printed to a terminal */
function refuseBytes(mimeType: string, { isInteractive }: Printing): void {
  if (!isInteractive) return;
  throw invalidArgument(
    `It is ${mimeType}, which a terminal cannot show.`,
    'Write it to a file: add > FILE.',
  );
}

/** Items are stored one a line, between the brackets of an array. */
async function* storedItems(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<JsonValue> {
  let rest = '';
  for await (const text of decodeText(bytes, 'utf-8')) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '[') yield parseJson(line.replace(/,$/, ''));
  }
}

/** An item of a crawl with content, or without it for a page that failed. */
type CommandPage = NonNullable<ShownValue<'crawl'>['items']>[number];

const CONTENT = ['markdown', 'text', 'html'] as const;

const isPage = ({ depth, error, ...page }: CommandPage): boolean =>
  depth !== undefined && (error != null || CONTENT.some((format) => page[format] !== undefined));

function pagesIn(structured: JsonObject | undefined): readonly CommandPage[] | null {
  const { items = [] } = readShown('crawl', { value: structured })?.value ?? {};
  return items.length > 0 && items.every(isPage) ? items : null;
}

/** As `head` shows several files. */
function pageText(page: CommandPage): string {
  const content = CONTENT.map((format) => page[format]).find((text) => text !== undefined) ?? '';
  const { error, status } = page;
  const http = (status ?? 0) >= 400 ? ` (HTTP ${status})` : '';
  const failure = error == null ? [] : [`[${error.message} (${error.code})]`];
  const text = content.trim() === '' ? [] : [content.trimEnd()];
  return `==> ${page.url}${http} <==\n${[...failure, ...text].join('\n\n')}\n\n`;
}

/** A result as one JSON object on one line. It includes stored text and items, but not stored bytes. */
export async function* jsonPieces(result: ToolResult, printing: Printing): AsyncGenerator<string> {
  const { ok, state, error, descriptor } = result;
  const [first] = result.content;
  const rest = JSON.stringify({
    state,
    notes: notesOf(result),
    ...(error === undefined ? {} : { error }),
  }).slice(1);
  yield `{"ok":${String(ok)},`;
  if (ok && descriptor !== undefined && !printing.wantsHandle && isText(descriptor)) {
    yield* storedMember(descriptor, printing.readStored);
    yield ',';
  } else if (ok) {
    const members = descriptor === undefined ? inlineMembers(result, first) : { descriptor };
    yield `${JSON.stringify(members).slice(1, -1)},`;
  }
  yield `${rest}\n`;
}

function inlineMembers({ structured }: ToolResult, first: ToolResult['content'][0]): object {
  if (structured !== undefined) return { structured };
  if (first.type === 'text') return { text: first.text };
  return first.type === 'foreign' ? {} : { mime_type: first.mimeType, base64: first.data };
}

async function* storedMember(
  { output_handle: handle, item_count: count }: OutputDescriptor,
  readStored: ReadStored,
): AsyncGenerator<string> {
  const texts = decodeText(readStored(handle), 'utf-8');
  if (count !== null) {
    yield '"structured":{"items":';
    // A line end in a JSON text is between items.
    for await (const text of texts) yield text.replaceAll('\n', '');
    yield '}';
    return;
  }
  yield '"text":"';
  // A text may be cut anywhere, so each part of a string is escaped separately.
  for await (const text of texts) yield JSON.stringify(text).slice(1, -1);
  yield '"';
}

/** Exit codes of the commands. A signal adds its number to 128, as shells do. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

export interface CommandRequest extends CommandPlan {
  readonly json: boolean;
  /** For the session's server, if the command starts it. */
  readonly settings: SessionSettings;
  /** Those from the command line. */
  readonly given: readonly (keyof SessionSettings)[];
}

export interface CommandSurroundings {
  readonly app: App;
  /** Whose tabs and refs the command uses. */
  readonly session: ClientSession;
  readonly terminal: Terminal;
  /** Cancels the call; its reason says who. */
  readonly signal: AbortSignal;
}

/**
 * Makes a command's calls one after another and prints the result of the last one, or of the first that
 * fails. Resolves to the exit code.
 * @throws SpillwayError `invalid_argument` before the first call
 */
export async function runToolCommand(
  { calls, json, inOwnTab }: Pick<CommandRequest, 'calls' | 'json' | 'inOwnTab'>,
  { app, session, terminal, signal }: CommandSurroundings,
): Promise<number> {
  const { registry } = app.executor;
  for (const { tool, args } of calls) parseArguments(registry.get(tool).manifest, args);
  // A command that opens its own tab leaves the session's tabs alone.
  const own = inOwnTab ? createSession(randomUUID(), { registry, name: 'terminal' }) : session;
  const caller = new Caller({ app, session: own, terminal, signal });
  try {
    const [call, result] = await caller.callAll(calls);
    return await caller.print(call, result, json);
  } catch (thrown) {
    if (thrown instanceof ReaderGone) return EXIT.ok;
    throw thrown;
  } finally {
    if (inOwnTab) await caller.closeTabs();
  }
}

/** A browser that has gone must not keep a command from ending. */
const CLEANUP_MS = 15_000;

class Caller {
  readonly #startedAt = Date.now();

  constructor(private readonly parts: CommandSurroundings) {}

  /** The end of the last call, or of the first that failed. */
  async callAll([call, ...rest]: readonly PlannedCall[]): Promise<readonly [PlannedCall, ToolResult]> {
    if (call === undefined) throw new SpillwayError('internal_error', 'A command cannot call tools.');
    const line = this.parts.terminal.follow(call.label);
    const result = await this.#call(call.tool, call.args, this.parts.signal, line.update).finally(line.end);
    if (rest.length === 0) return [call, result];
    if (result.ok) return this.callAll(rest);
    if (result.error?.code !== call.passes) return [call, result];
    await this.parts.terminal.note(`${result.error?.message ?? ''}`);
    return this.callAll(rest);
  }

  /** The end of a call, also of one that a person is asked about. */
  async #call(
    tool: ToolName,
    args: object,
    signal: AbortSignal,
    progress?: (progress: Progress) => void,
  ): Promise<ToolResult> {
    const { executor } = this.parts.app;
    const call: ToolCall = {
      callId: randomUUID(),
      tool,
      args,
      session: this.parts.session,
      wantsObject: true,
      // A person or a script is waiting for the end.
      syncWaitMs: Number.POSITIVE_INFINITY,
      signal,
      ...(progress === undefined ? {} : { progress }),
    };
    const begun = await executor.execute(call);
    const message = begun.pending?.interaction['message'];
    if (typeof message === 'string')
      await this.parts.terminal.note(`${message} Waiting for the answer in the browser.`);
    return executor.awaitAnswer(call, begun);
  }

  /** The bytes of a stored output. */
  async *#readStored(handle: string): AsyncGenerator<Uint8Array> {
    let offset: number | null = 0;
    while (offset !== null) {
      const args = {
        output_handle: handle,
        offset,
        limit: LIMITS.outputFetchBytesMax,
        format: 'bytes',
        encoding: 'base64',
      };
      const { structured, error } = await this.#call('oc_output_fetch', args, this.parts.signal);
      if (error !== undefined) throw new SpillwayError(error.code, error.message, { hint: error.hint });
      const page = readShown('oc_output_fetch', { value: structured });
      const { content, next_offset: next = null } = page?.value ?? {};
      if (typeof content === 'string') yield Buffer.from(content, 'base64');
      offset = next;
    }
  }

  /** The run that a cancelled crawl leaves behind, which can be resumed. */
  async #findCancelledRun(): Promise<string | null> {
    const { structured } = await this.#call('run_list', { count: 1 }, AbortSignal.timeout(CLEANUP_MS));
    const [run] = readShown('run_list', { value: structured })?.value.runs ?? [];
    if (run?.status !== 'cancelled') return null;
    return Date.parse(run.started_at ?? '') >= this.#startedAt - 1_000 ? run.run_id : null;
  }

  /** Closes the tabs that the calls opened, even if they were cancelled. */
  async closeTabs(): Promise<void> {
    for (const tab of this.parts.session.tabs)
      await this.#call('tabs', { action: 'close', tab }, AbortSignal.timeout(CLEANUP_MS));
  }

  /** Prints a result. Resolves to the exit code. */
  async print({ tool, args }: PlannedCall, result: ToolResult, json: boolean): Promise<number> {
    const { terminal } = this.parts;
    const mode = args['output_mode'];
    const printing: Printing = {
      readStored: (handle) => this.#readStored(handle),
      wantsHandle: mode !== undefined && mode !== 'inline',
      isInteractive: terminal.isInteractive,
    };
    const pieces = json ? jsonPieces(result, printing) : plainPieces(result, printing);
    if (json || result.ok) for await (const piece of pieces) await terminal.write(piece);
    if (!json) for (const note of notesOf(result)) await terminal.note(note);
    const { error } = result;
    // A crawl that lacks some pages has items, and no error.
    if (error === undefined) return result.state['status'] === 'failed' ? EXIT.failed : EXIT.ok;
    if (!json) await terminal.note(`spillway: ${error.message}\n  ${error.hint} (${error.code})`);
    const run = tool === 'crawl' && error.code === 'cancelled' ? await this.#findCancelledRun() : null;
    if (run !== null)
      await terminal.note(
        withOwnCommands(`The pages so far are kept: \`spillway crawl --resume ${run}\` continues.`),
      );
    return error.code === 'invalid_argument' ? EXIT.usage : EXIT.failed;
  }
}
