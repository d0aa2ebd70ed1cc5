import { z } from 'zod';
import { pause } from '../core/slices.ts';
import { withOwnCommands } from '../core/machine/command-line.ts';
import { oneRisk } from '../../shared/core/policy/call-risks.ts';
import { Listeners } from '../../shared/base/queue.ts';
import { defer, abortable } from '../../shared/base/async.ts';
import { cut } from '../../shared/base/cut.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { asQuoting } from '../../shared/base/quoting.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { defined, isObject } from '../../shared/base/json.ts';
import { defineTool } from '../../shared/core/tools/manifest.ts';
import type { Lineage, Distrust, Offer, UpstreamSummaries, UpstreamSummary } from '../core/upstreams.ts';
import type { Outcome, Produced } from '../core/result.ts';
import { type ProvidedTool, type ToolProvider, type ProvidedRuntime } from '../core/registry/definition.ts';
import type { Logger } from '../core/services.ts';
import {
  notConnected,
  passAnswer,
  shapeAnswer,
  takesFields,
  type UpstreamCleaners,
  type UpstreamSource,
  type UpstreamStatus,
  type UpstreamTool,
} from './answers.ts';
import { Offers, withUri } from './offers.ts';
import { distinctIds, nameTools, unknownUpstream, type NamedTool } from './names.ts';
import { revisionOf, type SeenUpstream, type Trust } from './trust.ts';

const DESCRIPTION_UNITS = 8_000;
const TITLE_UNITS = 200;

/** An upstream before it is opened. */
export interface UpstreamSlot {
  /** In its written form; two may be the same. */
  readonly id: string;
  /** Identifies it to a person: a command line, or an address. */
  readonly target: string;
  readonly fingerprint: string;
  readonly output: 'policy' | 'passthrough';
  readonly redactors: UpstreamCleaners;
  /** @param id the distinct one */
  readonly open: (id: string) => Promise<UpstreamSource>;
}

export interface UpstreamReport extends UpstreamSummary {
  /** Tools that are not called `<id>_<tool>`, and why. */
  readonly renamed: readonly NamedTool[];
}

export interface UpstreamsOptions {
  readonly lineage: Lineage;
  readonly slots: readonly UpstreamSlot[];
  readonly trust: Trust;
  readonly isTaken: (name: string) => boolean;
  readonly logger: Logger;
}

interface Opened extends UpstreamSlot {
  /** The id in its entry. */
  readonly written: string;
  source: UpstreamSource | null;
  /** Why it could not be opened at all. */
  problem: string | null;
}

interface Made {
  readonly name: string;
  readonly distrust: Distrust;
  readonly provided: ProvidedTool;
}

const STARTING: UpstreamStatus = { state: 'starting', problem: null };

const statusOf = ({ source, problem }: Opened): UpstreamStatus =>
  problem === null ? (source?.status ?? STARTING) : { state: 'failed', problem };

/** The tools of other servers, each under its own name. */
export class Upstreams implements ToolProvider, UpstreamSummaries {
  readonly id = 'upstreams';
  readonly #opened: readonly Opened[];
  readonly #changes = new Listeners<void>();
  /** Resources and prompts. */
  readonly offers: Offers;
  /** An unchanged tool is the same object, so that a list changes only if a tool does. */
  readonly #made = new WeakMap<UpstreamTool, Made>();
  #stopTrust: () => void = () => undefined;
  #started: Promise<unknown> | null = null;
  #isClosed = false;

  constructor(private readonly options: UpstreamsOptions) {
    const ids = distinctIds(options.slots.map(({ id }) => id));
    this.#opened = options.slots.map((slot, at) => {
      const { id: written } = slot;
      return { ...slot, written, id: ids[at] ?? written, source: null, problem: null };
    });
    this.offers = new Offers(options.lineage, () =>
      this.#opened.map((opened) => ({
        ...opened,
        isAccepted: options.trust.isAccepted(opened.id, opened.fingerprint),
      })),
    );
    this.#changes.add(() => this.offers.notice());
  }

  /** Begins to connect, in the background. Idempotent. */
  start(): void {
    if (this.#started !== null || this.#isClosed) return;
    this.#stopTrust = this.options.trust.onChange(() => this.#changes.notify());
    this.#started = Promise.all(this.#opened.map((opened) => this.#open(opened)));
  }

  tools(): readonly ProvidedTool[] {
    const { trust } = this.options;
    return this.#listNamed().map(({ opened, source, tool, named: { name } }) => {
      const distrust = trust.judge(opened.id, opened.fingerprint, tool);
      const known = this.#made.get(tool);
      if (known?.name === name && known.distrust === distrust) return known.provided;
      const provided =
        distrust === null
          ? provide(opened, source, tool, name)
          : hideUnreviewed(opened.id, tool, name, distrust);
      this.#made.set(tool, { name, distrust, provided });
      return provided;
    });
  }

  expects(name: string): boolean {
    return this.#opened.some(({ id }) => name.startsWith(`${id}_`));
  }

  explainMissing(name: string): SpillwayError | null {
    const [opened] = this.#opened
      .filter(({ id }) => name.startsWith(`${id}_`))
      .toSorted((a, b) => b.id.length - a.id.length);
    if (opened === undefined) return null;
    const { state, problem } = statusOf(opened);
    const { id, source } = opened;
    if (state === 'ready' || (source?.tools ?? []).length > 0) return null;
    return source?.away?.() ?? notConnected(id, problem);
  }

  onChange(listener: () => void): () => void {
    return this.#changes.add(listener);
  }

  report(): readonly UpstreamReport[] {
    const { trust } = this.options;
    const named = this.#listNamed();
    return this.#opened.map((opened) => {
      const { id, written, target, fingerprint, source } = opened;
      const own = named.filter((each) => each.opened === opened);
      const twice = id === written ? null : `the id ${written} is written twice`;
      return {
        ...statusOf(opened),
        id,
        target,
        tools: own.length,
        isCut: source?.isCut === true,
        unaccepted:
          own.length === 0
            ? Number(source?.hasOffers === true && !trust.isAccepted(id, fingerprint))
            : own.filter(({ tool }) => trust.judge(id, fingerprint, tool) !== null).length,
        renamed: own
          .map(({ named: each }) => ({ ...each, why: each.why ?? twice }))
          .filter(({ why }) => why !== null),
      };
    });
  }

  offer(id: string): Offer {
    const seen = this.#seen(id);
    return {
      revision: revisionOf(seen),
      tools: seen.tools.map((tool) => ({ tool, distrust: this.options.trust.judge(id, seen.target, tool) })),
    };
  }

  async accept(id: string, revision: string): Promise<void> {
    const seen = this.#seen(id);
    if (revisionOf(seen) !== revision)
      throw new SpillwayError('upstream_changed', `The upstream ${id} has changed while it was looked at.`, {
        hint: 'Look at its tools again. Nothing was accepted.',
      });
    await this.options.trust.accept(seen);
  }

  /** @throws SpillwayError `invalid_argument` */
  #seen(id: string): SeenUpstream {
    const found = this.#opened.find((opened) => opened.id === id);
    const ids = this.#opened.map((opened) => opened.id);
    if (found === undefined) throw unknownUpstream(id, ids);
    return { id, target: found.fingerprint, tools: found.source?.tools ?? [] };
  }

  /** Every tool by its names. */
  all(): readonly NamedTool[] {
    return this.#listNamed().map(({ named }) => named);
  }

  /** Resolves when each upstream has connected or failed once, the signal aborts, or everything is closed. */
  async awaitSettled(signal: AbortSignal): Promise<void> {
    this.start();
    const { promise, resolve } = defer<void>();
    const check = (): void => {
      if (this.#isClosed || this.report().every(({ state }) => state !== 'starting')) resolve();
    };
    const stop = this.onChange(check);
    check();
    await abortable(promise, signal)
      .catch(() => undefined)
      .finally(stop);
  }

  /** Ends connections and processes. Idempotent. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#changes.notify();
    this.#stopTrust();
    await this.#started;
    await Promise.all(this.#opened.map(async ({ source }) => source?.close()));
  }

  async #open(opened: Opened): Promise<void> {
    const { logger } = this.options;
    try {
      const source = await opened.open(opened.id);
      opened.source = source;
      if (this.#isClosed) return;
      source.changes.add(() => this.#changes.notify());
    } catch (thrown) {
      opened.problem = opened.redactors.redactOwn.json(messageOf(thrown)).replace(/\.$/, '');
      logger.warn({ upstream: opened.id, err: thrown }, 'an upstream cannot be used');
    }
    this.#changes.notify();
  }

  #listNamed() {
    const sources = this.#opened.map((opened) => {
      const tools = new Map(opened.source?.tools.map((tool) => [tool.rawName, tool]));
      return { opened, id: opened.id, tools, rawNames: [...tools.keys()] };
    });
    return nameTools(sources, this.options.isTaken).flatMap(({ from: { opened, tools }, ...named }) => {
      const tool = tools.get(named.rawName);
      const { source } = opened;
      return source === null || tool === undefined ? [] : [{ opened, source, tool, named }];
    });
  }
}

function provide(opened: Opened, source: UpstreamSource, tool: UpstreamTool, name: string): ProvidedTool {
  const { output, redactors } = opened;
  const { title = tool.rawName, description, inputSchema, outputSchema, taskSupport = 'forbidden' } = tool;
  const shown = redactors.redact.json({ title, description });
  return {
    kind: 'upstream',
    output,
    manifest: defineTool({
      ...baseOf(name, tool.isReadOnly),
      // Redacted before it is cut: half a secret cannot be recognised.
      title: cut(shown.title, TITLE_UNITS),
      does: cut(shown.description, DESCRIPTION_UNITS),
      spills: output === 'policy' && takesFields(inputSchema),
      // Which of its calls are tasks at the upstream concerns only it and us.
      tasks: taskSupport === 'forbidden' ? 'forbidden' : 'optional',
      needs: output === 'policy' ? ['oc_output_fetch'] : [],
    }),
    inputSchema,
    ...defined({ outputSchema }),
    runtime: async () => runtimeOf(opened, source, tool),
  };
}

function runtimeOf(
  { id, output, redactors: { redact, redactOwn } }: Opened,
  source: UpstreamSource,
  tool: UpstreamTool,
): ProvidedRuntime {
  const from = `the upstream ${id}`;
  // The executor redacts it as it streams, but does not know the credentials of an entry.
  const stream = async (answer: Produced): Promise<Produced> => {
    if (!('payload' in answer)) return answer;
    const outcome = (): Outcome => {
      const { state, coverage, ...rest } = answer.outcome();
      return { ...rest, ...redactOwn.json({ state, coverage }) };
    };
    return { ...answer, payload: await redactOwn.payload(answer.payload), outcome };
  };
  return async (args, context) => {
    await context.leaves(`upstream://${id}`);
    const answer = await source.call(tool.rawName, args, context).catch((thrown: unknown) => {
      throw asQuoting(thrown, from);
    });
    if (!('passed' in answer)) return await stream(answer);
    // Each step with a large answer has a turn of its own.
    await pause();
    const { passed } = answer;
    // The registry refuses other forms, and reports the difference.
    if (!Array.isArray(passed.content) || !passed.content.every(isObject)) return answer;
    if (output === 'passthrough') return passAnswer(answer, redactOwn);
    const { resources = [], templates = [] } = source.offers ?? {};
    // Resources that they name can be read here.
    const content =
      resources.length + templates.length === 0
        ? passed.content
        : passed.content.map((block) => withUri(block, id));
    const shaped = await shapeAnswer({ ...passed, content }, { redact, output: context.output, tool, from });
    return 'passed' in shaped ? { ...shaped, untrustedFrom: from } : await stream(shaped);
  };
}

const HINTS = { idempotentHint: false, openWorldHint: true };

const baseOf = (name: string, isReadOnly: boolean) =>
  ({
    name,
    category: 'upstream',
    tier: 2,
    risk: isReadOnly ? 'none' : 'acts_on_page',
    // A tool without annotations may do anything: the gate asks as for an act.
    risksOf: oneRisk(isReadOnly ? 'read' : 'submit'),
    input: z.looseObject({}),
    annotations: { readOnlyHint: isReadOnly, destructiveHint: !isReadOnly, ...HINTS },
  }) as const;

/** A tool that nobody has reviewed yet shows only its name, and cannot be called. */
function hideUnreviewed(
  id: string,
  tool: UpstreamTool,
  name: string,
  distrust: NonNullable<Distrust>,
): ProvidedTool {
  const [code, what] =
    distrust === 'changed'
      ? (['upstream_changed', 'has changed since a person accepted it'] as const)
      : (['upstream_not_accepted', 'is new: no person has accepted it yet'] as const);
  const hint = withOwnCommands(
    `Ask the person to accept it in the settings of the side panel, or with \`spillway upstream accept ${id}\`; then call again.`,
  );
  return {
    kind: 'upstream',
    manifest: defineTool({
      ...baseOf(name, tool.isReadOnly),
      title: name,
      does: `This tool of the upstream ${id} ${what}. ${hint}`,
    }),
    inputSchema: { type: 'object' },
    runtime: async () => async () => {
      throw new SpillwayError(code, `The tool ${name} of the upstream ${id} ${what}.`, { hint });
    },
  };
}
