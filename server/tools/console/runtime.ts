import type { MethodResult } from '../../../shared/bridge/methods.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { deferred } from '../../../shared/async.ts';
import { textsOf } from '../../../shared/cut.ts';
import { MIME } from '../../../shared/mime.ts';
import type { consoleTool } from '../../../shared/tools/console/manifest.ts';
import { ConsoleLevel, ConsoleMessage } from '../../../shared/tools/console/methods.ts';
import { parseJsonLines, readTabStream, requireTab, type TabOutcome } from '../../core/targets.ts';
import type { CallContext } from '../../core/context.ts';
import type { ArgsOf, ToolRuntimes } from '../../core/registry/definition.ts';
import type { CleanText } from '../../redact/clean.ts';
import { parseSince } from '../../toolkit/arguments.ts';
import type { ToolServices } from '../index.ts';

type Args = ArgsOf<typeof consoleTool>;

export type ConsoleServices = Pick<ToolServices, 'bridge' | 'clock'>;

/** `console`: the newest messages that pass the filters, oldest first. */
export const createRuntimes = ({ bridge, clock }: ConsoleServices): ToolRuntimes => ({
  console: async (args: Args, context) => {
    const since = args.since === undefined ? null : parseSince(args.since, clock.now());
    const target = await requireTab(bridge, args, context);
    const selection = new Selection(args, since, context.redact);
    const stream = bridge.stream(target.browser, 'page.console', { tab_id: target.tabId }, context);
    const { chunks, produced } = readTabStream(stream, {
      target,
      context,
      outcomeOf: async (tab, result) => {
        await selection.complete.promise;
        return outcomeOf(tab, result, selection);
      },
    });
    return { payload: { kind: 'items', mimeType: MIME.json, items: newest(chunks, selection) }, ...produced };
  },
});

const RANK = ConsoleLevel.options;

/** Searches only redacted text: otherwise a filter could find a secret letter by letter. */
const contains = (text: CleanText, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** The requested messages; text is compared with the part that would be shown. */
class Selection {
  matched = 0;
  /** Resolves when every message has been examined. */
  readonly complete = deferred<void>();
  readonly #newest: ConsoleMessage[] = [];

  constructor(
    private readonly args: Args,
    private readonly since: number | null,
    private readonly redact: CallContext['redact'],
  ) {}

  add(message: ConsoleMessage): void {
    if (!this.#wants(message)) return;
    this.matched += 1;
    this.#newest.push(message);
    if (this.#newest.length >= 2 * this.args.limit) this.#newest.splice(0, this.args.limit);
  }

  result(): readonly ConsoleMessage[] {
    return this.#newest.slice(-this.args.limit);
  }

  #wants({ level, text, at_ms: atMs }: ConsoleMessage): boolean {
    const { level: least, text: part } = this.args;
    if (least !== undefined && RANK.indexOf(level) < RANK.indexOf(least)) return false;
    if (this.since !== null && atMs < this.since) return false;
    return part === undefined || contains(this.redact(text), part);
  }
}

async function* newest(chunks: AsyncIterable<string>, selection: Selection): AsyncGenerator<JsonValue> {
  try {
    for await (const line of parseJsonLines(chunks)) selection.add(ConsoleMessage.parse(line));
  } finally {
    selection.complete.resolve();
  }
  for (const message of selection.result()) yield itemOf(message);
}

function itemOf({ at_ms: atMs, level, text, source, url, line, column, stack }: ConsoleMessage): JsonObject {
  const place = [url, line, column].filter((part) => part !== null).join(':');
  return {
    time: new Date(atMs).toISOString(),
    level,
    source,
    text,
    ...(url === null ? {} : { location: place }),
    ...(stack.length === 0 ? {} : { stack }),
  };
}

function outcomeOf(tab: string, result: MethodResult<'page.console'>, selection: Selection): TabOutcome {
  const { messages, dropped, left_out: leftOut = 0 } = result;
  const shown = selection.result().length;
  const { matched } = selection;
  return {
    state: { tab, url: result.url, messages, matched, shown, dropped },
    coverage: textsOf(
      shown < matched && `The newest ${shown} of ${matched} messages: pass limit for more.`,
      leftOut > 0 && `left_out: ${leftOut} messages that came while a person had the tab.`,
      dropped > 0 &&
        `dropped: at least ${dropped} older messages were discarded; the browser keeps 1,000 per page.`,
    ),
  };
}
