import type {
  ServerMethods,
  PICK_METHODS,
  RECORDING_METHODS,
} from '../../shared/core/bridge/server-methods.ts';
import type { PersonChange } from '../core/people.ts';
import { FEED_METHODS, type ListedRun } from '../../shared/core/feed.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import type { Runs, RunView } from '../core/runs.ts';
import type { Journal, Redactor, Bridge, Logger } from '../core/services.ts';
import type { OutputStore } from '../core/output/store.ts';
import type { Parking } from '../programs/parking.ts';
import { cut } from '../../shared/base/cut.ts';
import type { JsonValue } from '../../shared/base/json.ts';
import type { Clean, CleanRecord, CleanText } from '../libraries/redaction/clean.ts';
import { cleanBy, type MakeClean } from './ring.ts';
import type { LiveFeed } from './feed.ts';
import {
  PROGRAM_METHODS,
  SHOWN_TOOL_UNITS,
  type ShownUpstream,
  type ShownUpstreamTool,
  type UPSTREAM_METHODS,
} from '../../shared/core/bridge/answers.ts';
import type { RecipeBook } from '../recipes/recipes.ts';
import { beginning, readCalls } from '../programs/shown.ts';
import { questionsOf } from '../programs/waiting.ts';
import { formatTabId } from '../core/targets.ts';
import type { OfferedTool, UpstreamSummaries } from '../core/upstreams.ts';
import { jsonOrText } from '../../shared/base/json-schema.ts';
import type { LiveMeter } from './meter.ts';
import type { METER_METHODS } from '../../shared/core/meter.ts';

/** The parts of a server that people at the browsers reach. */
export interface MethodParts {
  readonly feed: Pick<LiveFeed, 'next' | 'session'>;
  readonly journal: Pick<Journal, 'page' | 'record'>;
  readonly runs: Pick<Runs, 'list' | 'cancel' | 'get' | 'state'>;
  readonly parking: Pick<Parking, 'resume' | 'answer'>;
  readonly store: Pick<OutputStore, 'list'>;
  readonly meter: LiveMeter;
  readonly upstreams: UpstreamSummaries;
  readonly recipes: Pick<RecipeBook, 'save'>;
  /** Writes to the ledger what a person has done. It never rejects. */
  readonly changed: (facts: PersonChange) => Promise<void>;
  /** Writes to the ledger that a person has lifted a budget. */
  readonly lifted: (facts: { readonly name: string; readonly session: string }) => Promise<unknown>;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly bridge: Bridge;
  /** Identifies the home without saying where it is. */
  readonly home: string;
}

type Parts<Name extends keyof MethodParts> = Pick<MethodParts, Name>;
type Methods<Table> = Pick<ServerMethods, Extract<keyof Table, keyof ServerMethods>>;

export function createMeterMethods(
  parts: Parts<'meter' | 'lifted' | 'redactor' | 'logger'> & { readonly journal: Pick<Journal, 'record'> },
): Methods<typeof METER_METHODS> {
  const { meter, journal, lifted, redactor, logger } = parts;
  const clean = cleanBy(redactor);
  return {
    // Agents and tools have names of their own choice.
    'meter.read': async () => {
      const { sessions, ...others } = meter.read();
      // A member called `session` would be redacted as a secret, but lifting a budget needs its id.
      const shown = sessions.map(({ session: id, ...one }) => ({ ...clean(one), session: clean({ id }).id }));
      return { ...clean(others), sessions: shown };
    },
    'budget.lift': async ({ session: id, tokens, where }) => {
      const { name, budget } = meter.lift(id, tokens);
      journal.record({ event: 'budget_lifted', agent: name, client_session: id, tokens, where });
      // As when an agent is stopped: an unwritable ledger does not overrule the person.
      await lifted({ name, session: id }).catch((thrown: unknown) => {
        logger.error({ err: thrown }, 'a lifted budget is not in the ledger');
      });
      return { budget };
    },
  };
}

type Scalar = string | number | boolean;

/** Nobody has set it. */
const BROWSER = 'instance';
const NAME_UNITS = 64;
const VALUE_UNITS = 200;
/** For the parts of a run, as JSON: a page of runs has to fit in a frame of the bridge. */
const RUN_BYTES = 1_500;
const MESSAGE_BYTES = 2_000;
const SOURCE_BYTES = 1_000;
const NOTES_BYTES = 4_000;
const NOTES = 20;

/** As many as fit, in order, with long ones cut. */
function shortArguments(given: CleanRecord): Pick<ListedRun, 'args' | 'args_left'> {
  const args: [name: string, value: Scalar][] = [];
  let left = 0;
  let bytes = 0;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || name === BROWSER) continue;
    const member: [string, Scalar] = [cut(name, NAME_UNITS), shortValue(value)];
    const size = Buffer.byteLength(JSON.stringify(member));
    if (bytes + size > RUN_BYTES) left += 1;
    else {
      bytes += size;
      args.push(member);
    }
  }
  return { args: Object.fromEntries(args), ...(left === 0 ? {} : { args_left: left }) };
}

function shortValue(value: JsonValue): Scalar {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return cut(value, VALUE_UNITS);
  const json = JSON.stringify(value);
  return json.length <= VALUE_UNITS ? json : `${json.slice(0, VALUE_UNITS - 1).toWellFormed()}…`;
}

const BY_PERSON = 'a person in the side panel';

export function createFeedMethods(
  parts: Parts<'feed' | 'journal' | 'runs' | 'parking' | 'store' | 'changed' | 'redactor' | 'home'>,
): Methods<typeof FEED_METHODS> {
  const { feed, journal, runs, parking, store, changed, redactor, home } = parts;
  const clean = cleanBy(redactor);
  const recorded = async (kind: 'run_cancelled' | 'run_resumed', run: RunView) => {
    await changed({ kind, subject: run.run_id, tool: run.tool });
    return FEED_METHODS['runs.cancel'].result.parse({ run: runToShow(run, clean) });
  };
  return {
    'feed.next': async (query, signal) => {
      const { cursor, events } = await feed.next(query, signal);
      return { home, cursor, events };
    },
    'journal.page': async (query) => {
      const { lines, next } = await journal.page(query);
      // Other servers of the home have redacted their lines, but may not have known the secrets of this one.
      const shown = lines.map(({ position, line }) => ({ position, line: clean(line) }));
      return FEED_METHODS['journal.page'].result.parse({ lines: shown, next });
    },
    'runs.list': async ({ status, offset, limit }) => {
      const end = offset + limit;
      const found = await runs.list({ count: end, status });
      return FEED_METHODS['runs.list'].result.parse({
        runs: found.runs.slice(offset).map((run) => runToShow(run, clean)),
        total: found.total,
        next_offset: end < found.total ? end : null,
      });
    },
    'runs.cancel': async ({ run_id: runId }) =>
      recorded('run_cancelled', await runs.cancel(runId, BY_PERSON)),
    'runs.resume': async ({ run_id: runId, outcome, result }) =>
      recorded('run_resumed', await parking.resume(runId, outcome, result && jsonOrText(result))),
    'outputs.list': async ({ before, limit }) => {
      const all = await store.list();
      const at = before === undefined ? -1 : all.findIndex(({ handle }) => handle === before);
      if (before !== undefined && at < 0)
        throw new SpillwayError('output_handle_not_found', `There is no output ${before}.`);
      const outputs = all.slice(at + 1, at + 1 + limit);
      const last = outputs.at(-1);
      const isEnd = at + 1 + limit >= all.length;
      return { outputs, total: all.length, next: isEnd || last === undefined ? null : last.handle };
    },
  };
}

/** Texts are cut after they are redacted, so that no half of a secret is left. */
function runToShow({ progress, error, args, notes, ...run }: RunView, clean: MakeClean): object {
  const shown = clean({
    ...run,
    // The panel tells a run that waits by its error.
    status: run.status === 'waiting' ? 'interrupted' : run.status,
    progress: { ...progress },
    error: error === null ? null : { code: error.code, message: error.message },
    notes: [...notes],
  });
  const asks = questionsOf({ error }).length > 0;
  const left = notes.length - NOTES;
  const noteBytes = NOTES_BYTES / Math.min(notes.length, NOTES);
  return {
    ...shown,
    asks,
    source: beginning(shown.source, SOURCE_BYTES),
    error: shown.error && { ...shown.error, message: beginning(shown.error.message, MESSAGE_BYTES) },
    notes: [
      ...shown.notes.slice(0, NOTES).map((note) => beginning(note, noteBytes)),
      ...(left > 0 ? [`And ${left} more.`] : []),
    ],
    ...shortArguments(clean(args)),
  };
}

/** The calls and the questions of programs, picked elements, and recordings. */
export function createProgramMethods(
  parts: Parts<'runs' | 'parking' | 'feed' | 'recipes' | 'changed' | 'redactor'>,
): Methods<typeof PROGRAM_METHODS & typeof PICK_METHODS & typeof RECORDING_METHODS> {
  const { runs, parking, feed, recipes, changed, redactor } = parts;
  const clean = cleanBy(redactor);
  return {
    'runs.calls': async ({ run_id: runId, from }) => {
      const { calls, ...page } = readCalls(await runs.get(runId), await runs.state(runId), from);
      const shown = calls.map(({ args, ...call }) => ({
        ...clean({ ...call }),
        args: shortArguments(clean(args)).args ?? {},
      }));
      return PROGRAM_METHODS['runs.calls'].result.parse({ ...page, calls: shown });
    },
    'runs.answer': async ({ run_id: runId, call, answer }) => {
      const given = answer === undefined ? { declined: true } : { answer };
      const { tool } = await parking.answer(runId, { call, input: { ...given, where: 'the side panel' } });
      await changed({ kind: 'run_resumed', subject: runId, tool });
      return {};
    },
    'picks.add': async ({ session: id, pick: { tab_id: tabId, picture, ...pick } }, _signal, browser) => {
      const session = feed.session(id);
      if (session === null) throw new SpillwayError('session_closed', 'That session of the agent has ended.');
      session.picks.add({ ...clean(pick), tab: formatTabId({ browser, tabId }), picture });
      return {};
    },
    'recordings.screen': async ({ texts }) => ({
      secret: texts.map(({ label, text }) => {
        const shown: CleanText | undefined = redactor.value({ [label]: text })[label];
        return shown !== text;
      }),
    }),
    'recordings.keep': async ({ definition }) => {
      const { name } = await recipes.save(definition, { replace: false });
      await changed({ kind: 'recipe_recorded', subject: name });
      return { name };
    },
  };
}

/**
 * Text of one answer: it has to fit in a frame of the bridge as JSON, where a character takes up to six
 * bytes.
 */
const PAGE_UNITS = 64 * 1024;

export function createUpstreamMethods({
  upstreams,
  changed,
  redactor,
}: Parts<'upstreams' | 'changed' | 'redactor'>): Methods<typeof UPSTREAM_METHODS> {
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
 * Connects to the browsers as soon as tools wait for a person, so that their side panels show them, whatever
 * the agent calls. The connection stays; if there is no browser, the next change tries again.
 */
export function showWaiting({ upstreams, bridge, logger }: Parts<'upstreams' | 'bridge' | 'logger'>): void {
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
    const shown = toolToShow(tool, clean);
    units += TEXTS.reduce((sum, text) => sum + shown[text].length, 0);
    if (page.length > 0 && units > PAGE_UNITS) break;
    page.push(shown);
  }
  return page;
}

/** Texts are cut after they are redacted, so that no half of a secret is left. */
function toolToShow({ tool, distrust }: OfferedTool, clean: MakeClean): ShownUpstreamTool {
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
