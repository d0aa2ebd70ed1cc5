import { z } from 'zod';
import { withOwnCommands } from '../machine/command-line.ts';
import { oneRisk } from '../../shared/act/risks.ts';
import { Listeners } from '../../shared/queue.ts';
import { deferred, abortable } from '../../shared/async.ts';
import { cut } from '../../shared/cut.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { messageOf } from '../../shared/message-of.ts';
import { isObject, type JsonObject } from '../../shared/json.ts';
import { defineTool, type ToolManifest } from '../../shared/tools/manifest.ts';
import type {
  Lineage,
  UpstreamOffers,
  Distrust,
  Offer,
  UpstreamSummaries,
  UpstreamSummary,
} from '../core/upstreams.ts';
import type { Produced } from '../core/result.ts';
import {
  type ProvidedTool,
  type ToolProvider,
  isPassedThrough,
  type ProvidedRuntime,
} from '../core/registry/definition.ts';
import type { Logger } from '../core/services.ts';
import type { Clean } from '../redact/clean.ts';
import {
  passAnswer,
  shapeAnswer,
  takesFields,
  type Cleaner,
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

interface Opened {
  readonly slot: UpstreamSlot;
  readonly id: string;
  source: UpstreamSource | null;
  /** Why it could not be opened at all. */
  problem: string | null;
}

const STARTING: UpstreamStatus = { state: 'starting', problem: null };

/** The tools of other servers, each under its own name. */
export class Upstreams implements ToolProvider, UpstreamSummaries {
  readonly id = 'upstreams';
  readonly #opened: readonly Opened[];
  readonly #changes = new Listeners<void>();
  readonly #offers: Offers;
  /** An unchanged tool is the same object, so that a list changes only if a tool does. */
  readonly #made = new WeakMap<UpstreamTool, ReadonlyMap<string, ProvidedTool>>();
  #stopTrust: () => void = () => undefined;
  #started: Promise<unknown> | null = null;
  #isClosed = false;

  constructor(private readonly options: UpstreamsOptions) {
    const ids = distinctIds(options.slots.map(({ id }) => id));
    this.#opened = options.slots.map((slot, index) => ({
      slot,
      id: ids[index] ?? slot.id,
      source: null,
      problem: null,
    }));
    this.#offers = new Offers({
      lineage: options.lineage,
      upstreams: () =>
        this.#opened.map(({ slot: { fingerprint, output, redactors }, id, source }) => {
          const isAccepted = options.trust.isAccepted(id, fingerprint);
          return { id, source, output, redactors, isAccepted };
        }),
    });
    this.#changes.add(() => this.#offers.notice());
  }

  /** Resources and prompts. */
  get offers(): UpstreamOffers {
    return this.#offers;
  }

  /** Begins to connect, in the background. Idempotent. */
  start(): void {
    if (this.#started !== null || this.#isClosed) return;
    this.#stopTrust = this.options.trust.onChange(() => this.#changes.notify());
    this.#started = Promise.all(this.#opened.map((opened) => this.#open(opened)));
  }

  tools(): readonly ProvidedTool[] {
    const { trust } = this.options;
    return this.#named().map(({ opened, source, tool, named }) => {
      const distrust = trust.judge(opened.id, opened.slot.fingerprint, tool);
      const key = `${distrust ?? ''} ${named.name}`;
      const made = this.#made.get(tool);
      const known = made?.get(key);
      if (known !== undefined) return known;
      const provided = this.#provide({ opened, source, tool, name: named.name, distrust });
      this.#made.set(tool, new Map([...(made ?? []), [key, provided]]));
      return provided;
    });
  }

  expects(name: string): boolean {
    return this.#opened.some(({ id }) => name.startsWith(`${id}_`));
  }

  onChange(listener: () => void): () => void {
    return this.#changes.add(listener);
  }

  report(): readonly UpstreamReport[] {
    const named = this.#named();
    return this.#opened.map(({ slot, id, source, problem }) => {
      const status: UpstreamStatus =
        problem === null ? (source?.status ?? STARTING) : { state: 'failed', problem };
      const own = named.filter(({ opened }) => opened.id === id);
      const unaccepted = own.filter(
        ({ tool }) => this.options.trust.judge(id, slot.fingerprint, tool) !== null,
      );
      return {
        ...status,
        id,
        target: slot.target,
        tools: own.length,
        isCut: source?.isCut === true,
        unaccepted: unaccepted.length,
        renamed: own.flatMap(({ named: each }) =>
          each.why === null && id === slot.id
            ? []
            : [{ ...each, why: each.why ?? `the id ${slot.id} is written twice` }],
        ),
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

  #seen(id: string): SeenUpstream {
    const { source, slot } = this.#find(id);
    return { id, target: slot.fingerprint, tools: source?.tools() ?? [] };
  }

  /** @throws SpillwayError `invalid_argument` */
  #find(id: string): Opened {
    const found = this.#opened.find((opened) => opened.id === id);
    if (found !== undefined) return found;
    throw unknownUpstream(
      id,
      this.#opened.map((opened) => opened.id),
    );
  }

  /** Every tool by its names. */
  all(): readonly NamedTool[] {
    return this.#named().map(({ named }) => named);
  }

  /** Resolves when each upstream has connected or failed once, the signal aborts, or everything is closed. */
  async settled(signal: AbortSignal): Promise<void> {
    this.start();
    const { promise, resolve } = deferred<void>();
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
      const source = await opened.slot.open(opened.id);
      opened.source = source;
      if (this.#isClosed) return;
      source.onChange(() => this.#changes.notify());
    } catch (thrown) {
      opened.problem = opened.slot.redactors.redactOwn.json(messageOf(thrown)).replace(/\.$/, '');
      logger.warn({ upstream: opened.id, err: thrown }, 'an upstream cannot be used');
    }
    this.#changes.notify();
  }

  #named() {
    const offers = this.#opened.map((opened) => ({
      opened,
      source: opened.source,
      tools: new Map(opened.source?.tools().map((tool) => [tool.rawName, tool])),
    }));
    const sources = offers.map(({ opened: { id }, tools }) => ({ id, rawNames: [...tools.keys()] }));
    return nameTools(sources, this.options.isTaken).flatMap((named) => {
      const { opened, source, tools } = offers.find((offer) => offer.opened.id === named.id) ?? {};
      const tool = tools?.get(named.rawName);
      return opened === undefined || source === null || source === undefined || tool === undefined
        ? []
        : [{ opened, source, tool, named }];
    });
  }

  #provide(of: {
    readonly opened: Opened;
    readonly source: UpstreamSource;
    readonly tool: UpstreamTool;
    readonly name: string;
    readonly distrust: Distrust;
  }): ProvidedTool {
    const { opened, source, tool, name, distrust } = of;
    if (distrust !== null) return distrusted(opened.id, tool, { name, distrust });
    const { output } = opened.slot;
    return {
      kind: 'upstream',
      output,
      manifest: this.#manifestOf(opened, tool, name),
      inputSchema: tool.inputSchema,
      ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
      runtime: async () => this.#runtimeOf(opened, source, tool),
    };
  }

  #manifestOf({ slot: { output, redactors } }: Opened, tool: UpstreamTool, name: string): ToolManifest {
    const { title = tool.rawName, description } = tool;
    const shown: Clean<{ title: string; description: string }> = redactors.redact.json({
      title,
      description,
    });
    return defineTool({
      ...baseOf(name, tool.isReadOnly),
      // Redacted before it is cut: half a secret cannot be recognised.
      title: cut(shown.title, TITLE_UNITS),
      description: { does: cut(shown.description, DESCRIPTION_UNITS), use: '', avoid: '' },
      spills: output === 'policy' && takesFields(tool.inputSchema),
      // Which of its calls are tasks at the upstream concerns only it and us.
      tasks: (tool.taskSupport ?? 'forbidden') === 'forbidden' ? 'forbidden' : 'optional',
      needs: output === 'policy' ? ['oc_output_fetch'] : [],
    });
  }

  #runtimeOf(
    { id, slot: { output, redactors } }: Opened,
    source: UpstreamSource,
    tool: UpstreamTool,
  ): ProvidedRuntime {
    const { redact, redactOwn } = redactors;
    return async (args, context) => {
      const answer = await source.call(tool.rawName, args, context);
      const from = `the upstream ${id}`;
      // The executor redacts it as it streams, but does not know the credentials of an entry.
      if (!isPassedThrough(answer))
        return 'payload' in answer ? withoutCredentials(answer, redactOwn) : answer;
      // The registry refuses other forms, and reports the difference.
      if (!Array.isArray(answer.passed.content) || !answer.passed.content.every(isObject)) return answer;
      if (output === 'passthrough') return passAnswer(answer, redactOwn);
      const isStructured = tool.outputSchema !== undefined;
      const { passed } = answer;
      const read = { passed: { ...passed, content: readable(passed.content, id, source) } };
      const shaped = shapeAnswer(read, { redact, output: context.output, isStructured, from });
      if (isPassedThrough(shaped)) return { ...shaped, untrustedFrom: from };
      return 'payload' in shaped ? withoutCredentials(shaped, redactOwn) : shaped;
    };
  }
}

const withoutCredentials = (
  answer: Extract<Produced, { payload: unknown }>,
  redactOwn: Cleaner,
): Produced => ({ ...answer, payload: redactOwn.payload(answer.payload) });

/** Blocks of an upstream that offers resources: those that they name can be read here. */
function readable(content: readonly JsonObject[], id: string, source: UpstreamSource): readonly JsonObject[] {
  const { resources = [], templates = [] } = source.offers?.() ?? {};
  if (resources.length + templates.length === 0) return content;
  return content.map((block) => withUri(block, id));
}

const ACT_HINTS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
const READ_HINTS = { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true };

const baseOf = (name: string, isReadOnly: boolean) =>
  ({
    name,
    category: 'upstream',
    tier: 2,
    risk: isReadOnly ? 'none' : 'acts_on_page',
    // A tool without annotations may do anything: the gate asks as for an act.
    risksOf: oneRisk(isReadOnly ? 'read' : 'submit'),
    input: z.looseObject({}),
    annotations: isReadOnly ? READ_HINTS : ACT_HINTS,
  }) as const;

/** A tool that nobody has reviewed yet shows only its name, and cannot be called. */
function distrusted(
  id: string,
  tool: UpstreamTool,
  { name, distrust }: { readonly name: string; readonly distrust: 'not_accepted' | 'changed' },
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
      description: { does: `This tool of the upstream ${id} ${what}. ${hint}`, use: '', avoid: '' },
      spills: false,
    }),
    inputSchema: { type: 'object' },
    runtime: async () => async () => {
      throw new SpillwayError(code, `The tool ${name} of the upstream ${id} ${what}.`, { hint });
    },
  };
}
