import * as z from 'zod/mini';
import { LIMITS } from '../../../shared/base/limits.ts';
import { jsonIn } from '../../../shared/base/json-schema.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { CodePlace } from '../../../shared/inspect/inspect.methods.ts';
import type { WorkerServices } from '../../core/handler.ts';
import type { RefPlace } from '../../core/pages/ref-book.ts';
import { describeHosts, describeRendered } from '../../core/in-page/components.ts';
import { hear } from './debugger/exchange.ts';
import type { DebuggerLease } from './debugger/sessions.ts';
import { findScope, type Scope } from './evaluate.ts';
import { FrameSessions } from './frame-sessions.ts';
import { readRules, type MatchedRule, type Send } from './matched-styles.ts';

/** As `describeRendered` and `describeHosts` write it; a page may write anything. */
const Described = z.object({
  framework: z.string(),
  name: z.optional(z.string()),
  file: z.optional(z.string()),
  line: z.optional(z.unknown()),
  column: z.optional(z.unknown()),
  stack: z.optional(z.string()),
  own: z.optional(z.int()),
  up: z.int(),
});
export type Described = z.infer<typeof Described>;
const DescribedList = z.array(Described);

/** The components that a reader has found; none in a text of another form. */
export const parseDescribed = (text: unknown): readonly Described[] =>
  typeof text === 'string' ? (DescribedList.safeParse(jsonIn(text)).data ?? []) : [];

/** The nearest first: a page may use several frameworks. */
export const orderComponents = <T extends Described>(components: readonly T[]): T[] =>
  components.toSorted((one, other) => one.up - other.up);

export interface Inspected {
  readonly components: readonly (Described & {
    /** Where its own function begins. */
    readonly begins: CodePlace | null;
  })[];
  /** The weakest first. */
  readonly rules: readonly MatchedRule[];
  /** Source maps by the address of their script, if nothing can be fetched from it. */
  readonly maps: ReadonlyMap<string, string>;
}

export interface Wanted {
  readonly tabId: number;
  readonly ref: string;
  readonly viewer: string;
  readonly place: RefPlace;
  readonly styles: boolean;
  readonly signal: AbortSignal;
}

/** @throws SpillwayError `stale_ref`, `page_unresponsive`, and of the refused or lost attachment */
export const inspectElement = (
  { debuggers }: Pick<WorkerServices, 'debuggers'>,
  wanted: Wanted,
): Promise<Inspected> =>
  debuggers.use(wanted.tabId, wanted.signal, async (lease) => {
    const { ref, viewer } = wanted;
    const scope = await findScope({ lease, frames: new FrameSessions(lease), world: 'page', ref, viewer });
    const send: Send = (method, params = {}) =>
      lease.send(method, params, { sessionId: scope.session, timeoutMs: LIMITS.pageResponseTimeoutMs });
    const rules = wanted.styles ? await readRules(lease, scope, send) : [];
    return { ...(await readComponents(lease, scope, send)), rules };
  });

const Remote = z.object({ objectId: z.optional(z.string()), value: z.optional(z.unknown()) });
const Answer = z.object({ result: Remote });
const Member = z.object({ name: z.string(), value: z.optional(Remote) });
const Members = z.object({
  result: z.array(Member),
  internalProperties: z._default(z.array(Member), []),
});

const GROUP = 'spillway.evaluate';
const READERS = [describeRendered, describeHosts];

async function readComponents(lease: DebuggerLease, scope: Scope, send: Send) {
  const objectId = scope.within;
  const described = await Promise.all(
    READERS.map(async (reader) => {
      const functionDeclaration = `function (el) {
        const { text, functions } = (${reader.toString()})(el) ?? { text: '[]', functions: [] };
        return [text, ...functions];
      }`;
      const asked = { functionDeclaration, objectId, arguments: [{ objectId }], objectGroup: GROUP };
      const list = Answer.parse(await send('Runtime.callFunctionOn', asked)).result.objectId;
      const { result } = await membersOf(send, list);
      const members = new Map(result.map(({ name, value }) => [name, value]));
      return parseDescribed(members.get('0')?.value).map((one) => ({
        ...one,
        function: one.own === undefined ? undefined : members.get(String(one.own + 1))?.objectId,
      }));
    }),
  );
  const found = orderComponents(described.flat());
  const scripts = found.some(needsScripts) ? await readScripts(lease, scope, send) : [];
  const components = await Promise.all(
    found.map(async ({ function: own, ...one }) => {
      const isSought = own !== undefined && !isPlaced(one);
      return { ...one, begins: isSought ? await placeOf(send, own, scripts) : null };
    }),
  );
  send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => undefined);
  const maps = scripts.filter(({ url, sourceMapURL: map }) => !/^https?:/.test(url) && map !== '');
  return { components, maps: new Map(maps.map(({ url, sourceMapURL }) => [url, sourceMapURL])) };
}

const isPlaced = ({ line, stack }: Described): boolean => typeof line === 'number' || stack !== undefined;
/** For the place of a function, or the source map of a script that bundlers evaluate. */
const needsScripts = (one: Described): boolean =>
  (one.own !== undefined && !isPlaced(one)) || one.stack?.includes('webpack-internal:') === true;

async function membersOf(send: Send, objectId: string | undefined): Promise<z.infer<typeof Members>> {
  if (objectId === undefined) throw new SpillwayError('page_changed', 'The page navigated meanwhile.');
  return Members.parse(await send('Runtime.getProperties', { objectId, ownProperties: true }));
}

const Script = z.object({
  scriptId: z.string(),
  url: z.string(),
  sourceMapURL: z._default(z.string(), ''),
});
type Script = z.infer<typeof Script>;

/** The scripts of a session: enabling the domain reports them. */
async function readScripts(lease: DebuggerLease, scope: Scope, send: Send): Promise<readonly Script[]> {
  const scripts: Script[] = [];
  const stop = hear(lease, 'Debugger.scriptParsed', Script, (script, session) => {
    if (session === scope.session) scripts.push(script);
  });
  try {
    await send('Debugger.enable', { maxScriptsCacheSize: 0 });
  } finally {
    stop();
    send('Debugger.disable').catch(() => undefined);
  }
  return scripts;
}

const Location = z.object({ scriptId: z.string(), lineNumber: z.int(), columnNumber: z.int() });

async function placeOf(
  send: Send,
  objectId: string | undefined,
  scripts: readonly Script[],
): Promise<CodePlace | null> {
  const { internalProperties } = await membersOf(send, objectId);
  const value = internalProperties.find(({ name }) => name === '[[FunctionLocation]]')?.value?.value;
  const location = Location.safeParse(value).data;
  const url = scripts.find(({ scriptId }) => scriptId === location?.scriptId)?.url ?? '';
  if (location === undefined || url === '') return null;
  return { url, line: location.lineNumber + 1, column: location.columnNumber + 1 };
}
