import { each } from '../../shared/base/queue.ts';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { type JsonObject, isJsonList, lookUp } from '../../shared/base/json.ts';
import { MIME } from '../../shared/base/mime.ts';
import { parseUrl } from '../../shared/base/private-address.ts';
import type { network } from '../../shared/network/network.manifest.ts';
import type { BodyChoice } from '../../shared/network/network.methods.ts';
import type { CallContext, ActSpan } from '../core/context.ts';
import { writeHar } from './har-log.ts';
import { cut, textsOf } from '../../shared/base/cut.ts';
import type { NetworkEntry } from '../libraries/har/parts.ts';
import type { NetworkSlice } from './index.ts';
import type { Outcome, Produced } from '../core/result.ts';
import { produceReceipt } from '../core/calls/produce.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Bridge } from '../core/services.ts';
import { formatTabId, onTab, parseTabId, requireTab, resolveTab, type TabTarget } from '../core/targets.ts';
import type { Clean, CleanJson, CleanRecord } from '../libraries/redaction/clean.ts';
import { gapOf, writeCurl } from './curl.ts';
import { checkTaken } from '../core/arguments.ts';
import type { ToolServices } from '../core/index.ts';

/** A tree of names: `{ request: { url: {} } }` for `request.url`. An empty one selects all. */
interface Wanted {
  readonly [name: string]: Wanted;
}

/** The start of a path that was not requested before. */
const NOTHING: Wanted = {};

function plant(tree: Wanted, [name, ...rest]: readonly string[]): Wanted {
  if (name === undefined) return tree;
  const known = Object.hasOwn(tree, name) ? tree[name] : undefined;
  // A path to a whole member includes its parts.
  if (known !== undefined && Object.keys(known).length === 0) return tree;
  return { ...tree, [name]: rest.length === 0 ? NOTHING : plant(known ?? NOTHING, rest) };
}

function pick(value: CleanJson, wanted: Wanted): CleanJson | undefined {
  const names = Object.keys(wanted);
  if (names.length === 0) return value;
  if (isJsonList(value)) return value.map((item) => pick(item, wanted) ?? null);
  if (typeof value !== 'object' || value === null) return undefined;
  const members = names.flatMap((name): [string, CleanJson][] => {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    const picked = member === undefined ? undefined : pick(member, wanted[name] ?? NOTHING);
    return picked === undefined ? [] : [[name, picked]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

const memberAt = (value: CleanJson | undefined, name: string): CleanJson | undefined =>
  typeof value === 'object' && value !== null && !isJsonList(value) && Object.hasOwn(value, name)
    ? value[name]
    : undefined;

function holds(value: CleanJson | undefined, [name, ...rest]: readonly string[]): boolean {
  if (value === undefined || name === undefined) return value !== undefined;
  if (value === null || typeof value !== 'object') return false;
  if (isJsonList(value)) return value.some((item) => holds(item, [name, ...rest]));
  return Object.hasOwn(value, name) && holds(value[name], rest);
}

/** Short names of what callers mostly want of an entry. */
const SHORT: Readonly<Record<string, string>> = {
  url: 'request.url',
  method: 'request.method',
  status: 'response.status',
  type: '_resourceType',
  error: 'response._error',
  size: 'response.content.size',
  duration: 'time',
  started: 'startedDateTime',
  body: 'response.content.text',
  request_body: 'request.postData.text',
  headers: 'response.headers',
  request_headers: 'request.headers',
};
const pathOf = (field: string): readonly string[] => (lookUp(SHORT, field) ?? field).split('.');

/** Reduces entries to some of their members, named by short names, or by paths such as `request.url`. */
class Projection {
  readonly #short: readonly string[];
  /** Fields that no entry had so far. */
  readonly #paths: Map<string, readonly string[]>;
  readonly #wanted: Wanted;

  /** @param fields paths; through a list they lead into each of its items */
  constructor(fields: readonly string[]) {
    this.#short = fields.filter((field) => lookUp(SHORT, field) !== undefined);
    this.#paths = new Map(fields.map((field) => [field, pathOf(field)]));
    const paths = ['_id', ...fields.filter((field) => !this.#short.includes(field))];
    this.#wanted = paths.reduce((tree, field) => plant(tree, field.split('.')), NOTHING);
  }

  /** The entry's id, and the requested fields: a short name is that of its member. */
  apply(entry: CleanRecord): CleanJson {
    for (const [field, path] of this.#paths) if (holds(entry, path)) this.#paths.delete(field);
    const short = this.#short.flatMap((field): [string, CleanJson][] => {
      const value = pathOf(field).reduce<CleanJson | undefined>(memberAt, entry);
      return value === undefined ? [] : [[field, value]];
    });
    const long = pick(entry, this.#wanted);
    return {
      ...(typeof long === 'object' && long !== null && !isJsonList(long) ? long : {}),
      ...Object.fromEntries(short),
    };
  }

  /** Fields that no entry had. */
  get unseen(): readonly string[] {
    return [...this.#paths.keys()];
  }
}

type NetworkArgs = ArgsOf<typeof network>;

export type NetworkServices = Pick<ToolServices, 'bridge' | 'network' | 'version'>;

/** Fields in the bodies of an entry: requesting one requests the bodies. */
const BODY_FIELD =
  /^(?:response\.content\.(?:text|encoding)|request\.postData(?:\.|$)|_webSocketMessages|_eventSourceMessages)/;
const NOTE_REDACTED = 'Redacted values appear as «redacted:…»: replace them with the real ones.';
const NOTE_GLOB = 'filter.url: * does not match a /; ** does, as in **/api/**.';
const NOTE_FAILED = 'filter.status: failed has requests without an answer; error answers are 400-599.';
/** A glob that only has `*`; `/…/` is a regular expression. */
const isShortGlob = (url = ''): boolean => /^(?!\/.+\/[imsu]*$)(?!.*\*\*).*\*/s.test(url);

/** `network`: starts and stops captures, and returns slices of them. */
export const createRuntimes = (services: NetworkServices): ToolRuntimes => ({
  network: async (args: NetworkArgs, context) => {
    checkArguments(args);
    const actions = { start, stop, slice, clear, status };
    return actions[args.action](services, args, context);
  },
});

type Action = (services: NetworkServices, args: NetworkArgs, context: CallContext) => Promise<Produced>;

const TAKES: Readonly<Record<NetworkArgs['action'], readonly (keyof NetworkArgs)[]>> = {
  start: ['bodies'],
  stop: [],
  slice: ['bodies', 'format', 'filter', 'since_act', 'sort', 'fields'],
  clear: [],
  status: [],
};

function checkArguments({ action, format, bodies, filter, since_act, sort, fields }: NetworkArgs): void {
  const given = { bodies, filter, since_act, sort, fields, format: format !== 'entries' };
  checkTaken(action, given, TAKES);
  if (fields !== undefined && format !== 'entries')
    throw invalidArgument(`fields: format "${format}" has all of them.`);
}

/** The named tab, or the current one, even of a disconnected browser; null for all. */
async function findTarget(
  bridge: Bridge,
  args: NetworkArgs,
  context: CallContext,
): Promise<TabTarget | null> {
  if (args.tab === 'active') return resolveTab(bridge, { tab: 'active' }, context);
  const name = args.tab ?? context.session.currentTab;
  return name === null || name === 'all' ? null : parseTabId(name);
}

const start: Action = async ({ bridge, network }, args, context) => {
  const { call, signal } = context;
  const options = { bodies: args.bodies ?? 'text', signal, call } as const;
  if (args.tab === 'all')
    return produceReceipt({ captures: await network.startAll(context.session, options), all: true });
  const target = await requireTab(bridge, args.tab === undefined ? {} : { tab: args.tab }, context);
  const view = await onTab(target, context, () => network.start(context.session, target, options));
  return produceReceipt(view);
};

const stop: Action = async ({ bridge, network }, args, context) => {
  if (args.tab === 'all') return produceReceipt({ captures: await network.stopAll(context.session) });
  const target = await findTarget(bridge, args, context);
  const view = target === null ? null : await network.stop(context.session, target);
  if (view === null) {
    const why =
      target === null ? 'No tab is current: pass tab.' : `Tab ${formatTabId(target)} is not being captured.`;
    throw new SpillwayError('capture_not_running', why);
  }
  return produceReceipt(view);
};

const clear: Action = async ({ bridge, network }, args, context) => {
  const target = await findTarget(bridge, args, context);
  network.clear(context.session, target);
  return produceReceipt({ cleared: target === null ? 'all' : formatTabId(target) });
};

const status: Action = async ({ bridge, network }, args, context) => {
  const all = network.status(context.session);
  if (args.tab === undefined || args.tab === 'all') return produceReceipt(all);
  const target = await findTarget(bridge, args, context);
  const tab = target === null ? null : formatTabId(target);
  return produceReceipt({ ...all, captures: all.captures.filter((capture) => capture.tab === tab) });
};

function bodiesOf({ bodies, format, fields }: NetworkArgs): BodyChoice {
  if (bodies !== undefined) return bodies;
  if (format === 'curl') return 'all';
  return fields?.some((field) => BODY_FIELD.test(pathOf(field).join('.'))) === true ? 'text' : 'none';
}

/** The requested act. @throws SpillwayError `invalid_argument` */
function actOf({ since_act: id, tab }: NetworkArgs, { session: { acts } }: CallContext): ActSpan | null {
  if (id === undefined) return null;
  const act = acts.find(id);
  if (act === null) {
    const newest = acts.newest === null ? 'no receipt has named one yet' : `the newest is ${acts.newest}`;
    throw invalidArgument(`since_act: there is no act ${cut(id, 20)}; ${newest}.`);
  }
  if (tab !== undefined && tab !== 'all' && tab !== act.tab)
    throw invalidArgument(`tab: act ${id} was in tab ${act.tab}.`);
  return act;
}

const slice: Action = async (services, args, context) => {
  const { bridge, network, version } = services;
  const act = actOf(args, context);
  const target = act === null ? await findTarget(bridge, args, context) : parseTabId(act.tab);
  const { filter = {}, sort = null, format } = args;
  const query = { tab: target, filter, act, sort, bodies: bodiesOf(args) };
  const tab = target === null ? 'all' : formatTabId(target);
  context.keepState(() => ({ tab, format }));
  const found = await network.entries(context.session, query, context.signal);
  if (format === 'curl') return produceCurl(found, tab);
  let count = 0;
  const state = (): JsonObject => ({ tab, format, entries: count });
  context.keepState(state);
  const entries = (async function* () {
    for await (const entry of found.entries) {
      count += 1;
      yield entry;
    }
  })();
  const projection = args.fields === undefined ? null : new Projection(args.fields);
  const notes = (): readonly string[] => {
    if (format === 'har') return [];
    if (count === 0)
      return textsOf(isShortGlob(filter.url) && NOTE_GLOB, filter.status === 'failed' && NOTE_FAILED);
    const unseen = projection?.unseen ?? [];
    const isUnknown = unseen.some((field) => lookUp(SHORT, field) === undefined);
    const known = `Fields are ${Object.keys(SHORT).join(', ')}, and paths of HAR such as request.cookies.`;
    return [...unseen.map((field) => `No entry has ${field}.`), ...(isUnknown ? [known] : [])];
  };
  const outcome = (): Outcome => ({ state: state(), coverage: [...found.coverage, ...notes()] });
  const facts = { untrustedFrom: () => sourceOf(found), redacted: found.redacted };
  if (format !== 'har') {
    const items = project(entries, projection);
    return { clean: { kind: 'items', mimeType: MIME.json, items }, outcome, ...facts };
  }
  const browsers = bridge.browsers();
  const shown = browsers.find(({ id }) => id === target?.browser) ?? browsers[0];
  const browser = shown === undefined ? null : { name: shown.facts.name, version: shown.facts.version };
  const chunks = writeHar({ ...found, entries }, { version, browser });
  return { clean: { kind: 'text', mimeType: MIME.json, chunks }, outcome, ...facts };
};

const ORIGINS_NAMED = 3;

/** The page of the entries; the sites of the newest, if there are several. */
function sourceOf({ pages }: NetworkSlice): string {
  const urls = pages.flatMap(({ title }) => (typeof title === 'string' ? [title] : []));
  const origins = [...new Set(urls.map((url) => parseUrl(url)?.origin ?? url))];
  if (urls.length === 0) return 'the captured tabs';
  return origins.length === 1 ? (urls.at(-1) ?? '') : origins.slice(-ORIGINS_NAMED).join(', ');
}

async function* project(
  entries: AsyncIterable<Clean<NetworkEntry>>,
  projection: Projection | null,
): AsyncGenerator<CleanJson> {
  for await (const entry of entries) yield projection === null ? entry : projection.apply(entry);
}

async function produceCurl(found: NetworkSlice, tab: string): Promise<Produced> {
  let entry: Clean<NetworkEntry> | null = null;
  let count = 0;
  for await (const one of found.entries) {
    entry ??= one;
    count += 1;
  }
  if (entry === null) throw new SpillwayError('request_not_found', 'filter: no captured request matches.');
  if (count > 1) throw invalidArgument(`filter: ${count} requests match; curl takes one: pass filter.id.`);
  const text = writeCurl(entry);
  const gap = gapOf(entry);
  const redacted = text.includes('redacted:') ? [NOTE_REDACTED] : [];
  const coverage = [...found.coverage, ...(gap === null ? [] : [gap]), ...redacted];
  return {
    clean: { kind: 'text', mimeType: MIME.shell, chunks: each([text]) },
    outcome: () => ({ state: { tab, format: 'curl', id: entry._id }, coverage }),
    untrustedFrom: () => 'the captured tabs',
    redacted: found.redacted,
  };
}
