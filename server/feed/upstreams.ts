import type { ServerMethods } from '../../shared/bridge/server-methods.ts';
import {
  SHOWN_TOOL_UNITS,
  type ShownUpstream,
  type ShownUpstreamTool,
  type UPSTREAM_METHODS,
} from '../../shared/bridge/upstreams.ts';
import type { Bridge, Logger, Redactor } from '../core/services.ts';
import type { OfferedTool, UpstreamSummaries } from '../core/upstreams.ts';
import type { Clean } from '../redact/clean.ts';
import { cleanBy, type MakeClean } from './clean.ts';

/** Text of one answer: in JSON, where a character takes up to six bytes, it has to fit in a frame of the bridge. */
const PAGE_UNITS = 64 * 1024;

interface UpstreamParts {
  readonly upstreams: UpstreamSummaries;
  /** Writes to the ledger that a person has accepted an upstream. It never rejects. */
  readonly changed: (facts: {
    readonly kind: 'upstream_accepted';
    readonly subject: string;
  }) => Promise<void>;
  readonly redactor: Redactor;
}

type UpstreamMethods = Pick<ServerMethods, keyof typeof UPSTREAM_METHODS>;

/** What people at the browsers see of the servers whose tools this one offers, and how they accept them. */
export function createUpstreamMethods({ upstreams, changed, redactor }: UpstreamParts): UpstreamMethods {
  const clean = cleanBy(redactor);
  return {
    'upstreams.list': async () => ({
      upstreams: upstreams
        .report()
        .map(({ id, target, state, problem, tools, unaccepted }): Clean<ShownUpstream> =>
          clean({ id, target, state, problem, tools, unaccepted }),
        ),
    }),
    'upstreams.tools': async ({ id, offset }) => {
      const { revision, tools } = upstreams.offer(id);
      const shown = pageOf(tools.slice(offset), clean);
      const end = offset + shown.length;
      return { revision, tools: shown, total: tools.length, next_offset: end < tools.length ? end : null };
    },
    'upstreams.accept': async ({ id, revision }) => {
      await upstreams.accept(id, revision);
      await changed({ kind: 'upstream_accepted', subject: id });
      return { accepted: upstreams.offer(id).tools.length };
    },
  };
}

/**
 * Connects to the browsers as soon as tools wait for a person, so that its side panel shows them, whatever the agent calls.
 * The connection stays; while there is no browser, the next change tries again.
 */
export function showWaiting({
  upstreams,
  bridge,
  logger,
}: {
  readonly upstreams: UpstreamSummaries;
  readonly bridge: Bridge;
  readonly logger: Logger;
}): void {
  let isConnecting = false;
  const look = (): void => {
    if (isConnecting || upstreams.report().every(({ unaccepted }) => unaccepted === 0)) return;
    isConnecting = true;
    bridge
      .ready()
      .catch((thrown: unknown) => logger.debug({ err: thrown }, 'no browser shows what waits for a person'))
      .finally(() => (isConnecting = false));
  };
  upstreams.onChange(look);
  look();
}

const TEXTS = ['name', 'title', 'description', 'parameters', 'answers'] as const;

/** As many tools as fit, at least one. */
function pageOf(tools: readonly OfferedTool[], clean: MakeClean): ShownUpstreamTool[] {
  const page: ShownUpstreamTool[] = [];
  let units = 0;
  for (const tool of tools) {
    const shown = shownTool(tool, clean);
    units += TEXTS.reduce((sum, text) => sum + shown[text].length, 0);
    if (page.length > 0 && units > PAGE_UNITS) break;
    page.push(shown);
  }
  return page;
}

/** Texts are cut after they are redacted, so that no half of a secret is left over. */
function shownTool({ tool, distrust }: OfferedTool, clean: MakeClean): ShownUpstreamTool {
  const { rawName, title = '', description, inputSchema, outputSchema, isReadOnly } = tool;
  const shown = clean({
    name: rawName,
    title,
    description,
    parameters: JSON.stringify(inputSchema, null, 2),
    answers: outputSchema === undefined ? '' : JSON.stringify(outputSchema, null, 2),
  });
  return {
    name: shown.name.slice(0, SHOWN_TOOL_UNITS),
    title: shown.title.slice(0, SHOWN_TOOL_UNITS),
    description: shown.description.slice(0, SHOWN_TOOL_UNITS),
    parameters: shown.parameters.slice(0, SHOWN_TOOL_UNITS),
    answers: shown.answers.slice(0, SHOWN_TOOL_UNITS),
    is_read_only: isReadOnly,
    change: distrust === 'not_accepted' ? 'new' : distrust,
    is_whole: TEXTS.every((text) => shown[text].length <= SHOWN_TOOL_UNITS),
  };
}
