import { placesIn } from '../../shared/base/code-places.ts';
import type { MethodResult } from '../../shared/core/bridge/methods.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import { textsOf } from '../../shared/base/cut.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { consoleTool } from '../../shared/inspect/console.manifest.ts';
import { ConsoleLevel, ConsoleMessage } from '../../shared/inspect/console.methods.ts';
import { parseJsonLines, readTabStream, requireTab } from '../core/targets.ts';
import type { CallContext } from '../core/context.ts';
import type { Outcome } from '../core/result.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { CleanText } from '../libraries/redaction/clean.ts';
import { parseSince } from '../core/arguments.ts';
import { readSources, type Sources } from '../libraries/source-maps/read.ts';
import type { ToolServices } from '../core/index.ts';

type ConsoleArgs = ArgsOf<typeof consoleTool>;

export type ConsoleServices = Pick<ToolServices, 'bridge' | 'clock'>;

/** `console`: the newest messages that pass the filters, oldest first. */
export const createRuntimes = ({ bridge, clock }: ConsoleServices): ToolRuntimes => ({
  console: async (args: ConsoleArgs, context) => {
    const isWanted = filterOf(args, clock.now(), context.redact);
    const target = await requireTab(bridge, args, context);
    const { limit } = args;
    const newest: ConsoleMessage[] = [];
    let matched = 0;
    const stream = bridge.stream(target.browser, 'page.console', { tab_id: target.tabId }, context);
    const { chunks, produced } = readTabStream(stream, {
      target,
      context,
      outcomeOf: (tab, result) => {
        const { url, messages, dropped } = result;
        const shown = Math.min(newest.length, limit);
        return {
          state: { tab, url, messages, matched, shown, dropped },
          coverage: coverageOf(result, shown, matched),
        };
      },
    });
    let sources: Sources | null = null;
    const items = (async function* () {
      for await (const line of parseJsonLines(chunks)) {
        const message = ConsoleMessage.parse(line);
        if (!isWanted(message)) continue;
        matched += 1;
        newest.push(message);
        if (newest.length >= 2 * limit) newest.splice(0, limit);
      }
      const shown = newest.slice(-limit).map(itemOf);
      if (!args.sources) return yield* shown;
      // Only now is it known which page's they are.
      const pageUrl = String(produced.outcome().state['url']);
      const places = shown.flatMap(textsIn).flatMap(placesIn);
      const read = await readSources({ bridge, browser: target.browser, context, pageUrl }, places);
      sources = read;
      yield* shown.map((item) => moveToSources(item, read));
    })();
    const outcome = (): Outcome => {
      const { state, coverage } = produced.outcome();
      return { state, coverage: [...coverage, ...(sources?.leftOut ?? [])] };
    };
    return { ...produced, payload: { kind: 'items', mimeType: MIME.json, items }, outcome };
  },
});

const RANK = ConsoleLevel.options;

/** Searches only redacted text: otherwise a filter could find a secret letter by letter. */
function filterOf(
  { level: least, text: part, since }: ConsoleArgs,
  now: number,
  redact: CallContext['redact'],
) {
  const from = since === undefined ? -Infinity : parseSince(since, now);
  const contains = (text: CleanText, sought: string): boolean =>
    text.toLowerCase().includes(sought.toLowerCase());
  return ({ level, text, at_ms: atMs }: ConsoleMessage): boolean =>
    (least === undefined || RANK.indexOf(level) >= RANK.indexOf(least)) &&
    atMs >= from &&
    (part === undefined || contains(redact(text), part));
}

interface Item extends JsonObject {
  readonly text: string;
  readonly location?: string;
  readonly stack?: readonly string[];
}

function itemOf({ at_ms: atMs, level, text, source, url, line, column, stack }: ConsoleMessage): Item {
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

const textsIn = ({ text, location = '', stack = [] }: Item): string[] => [text, location, ...stack];

/** A message with the places of its sources, where those are known. */
const moveToSources = ({ text, location, stack, ...item }: Item, { inText }: Sources): Item => ({
  ...item,
  text: inText(text),
  ...(location !== undefined && { location: inText(location) }),
  ...(stack !== undefined && { stack: stack.map(inText) }),
});

function coverageOf(
  { dropped, left_out: leftOut = 0, since_ms: since }: MethodResult<'page.console'>,
  shown: number,
  matched: number,
): string[] {
  return textsOf(
    since !== undefined &&
      `since: ${new Date(since).toISOString()}, when console was first called in this tab. Earlier messages are unknown: to see them, reload the page or do the step again, and call console once more.`,
    shown < matched && `The newest ${shown} of ${matched} messages: pass limit for more.`,
    leftOut > 0 && `left_out: ${leftOut} messages that came while a person had the tab.`,
    dropped > 0 &&
      `dropped: at least ${dropped} older messages were discarded; the browser keeps 1,000 per page.`,
  );
}
