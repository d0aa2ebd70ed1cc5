import { withOwnCommands } from '../core/machine/command-line.ts';
import { z } from 'zod';
import { cut } from '../../shared/base/cut.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { defined, isObject, type JsonObject } from '../../shared/base/json.ts';
import { JsonRecord } from '../../shared/base/json-schema.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import {
  type Lineage,
  UPSTREAM_SCHEME,
  type CompletionQuestion,
  type CompletionRef,
  type OfferedText,
  type OfferedValues,
  type OfferKind,
  type UpstreamOffers,
} from '../core/upstreams.ts';
import { isBase64 } from '../core/registry/provided.ts';
import { Listeners } from '../../shared/base/queue.ts';
import { clean } from '../libraries/redaction/clean.ts';
import {
  redactBlock,
  type Cleaner,
  type UpstreamCleaners,
  type OfferLists,
  type UpstreamSource,
} from './answers.ts';
import { nameTools } from './names.ts';

const TEXT_UNITS = 2_000;
const VALUES_MAX = 100;
const SHAPE = /^upstream:\/\/(?<id>[A-Za-z0-9_-]+)\/(?<uri>.+)$/s;

export interface OfferingUpstream {
  readonly id: string;
  readonly source: UpstreamSource | null;
  /** A person has accepted it. */
  readonly isAccepted: boolean;
  readonly output: 'policy' | 'passthrough';
  readonly redactors: UpstreamCleaners;
}

/** Members of resources and their templates. */
const SHOWN = ['name', 'title', 'description', 'mimeType'];

const NOTHING: OfferLists = { resources: [], templates: [], prompts: [] };
const Contents = z.object({
  contents: z.array(
    z.union([
      z.looseObject({ uri: z.string(), text: z.string() }),
      z.looseObject({ uri: z.string(), blob: z.string().refine(isBase64) }),
    ]),
  ),
});
const Messages = z.object({
  description: z.string().optional().catch(undefined),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: JsonRecord })),
});
const Values = z.object({
  completion: z.object({
    values: z.array(z.string()),
    total: z.int().min(0).optional().catch(undefined),
    hasMore: z.boolean().catch(false),
  }),
});

/**
 * The uri of an upstream's resource here: its own address behind the upstream's id, so that templates stay
 * templates.
 */
const upstreamUri = (id: string, uri: string): string => `${UPSTREAM_SCHEME}${id}/${uri}`;

/** Resources and prompts of every upstream that is connected and accepted. */
export class Offers implements UpstreamOffers {
  readonly #changes = new Listeners<OfferKind>();
  #seen: readonly OfferLists[] = [];

  constructor(
    readonly lineage: Lineage,
    private readonly upstreams: () => readonly OfferingUpstream[],
  ) {}

  resources(): readonly JsonObject[] {
    return this.#list('resources', 'uri', [...SHOWN, 'size']);
  }

  templates(): readonly JsonObject[] {
    return this.#list('templates', 'uriTemplate', SHOWN);
  }

  prompts(): readonly JsonObject[] {
    return this.#listNamed().map(({ name, prompt, upstream }) => {
      const { arguments: given } = prompt;
      const args = (Array.isArray(given) ? given : []).filter(isObject);
      return redactOf(upstream).json({
        ...membersToShow(prompt, ['title', 'description']),
        name,
        arguments: args.map((each) => membersToShow(each, ['name', 'title', 'description', 'required'])),
      });
    });
  }

  async read(uri: string, signal: AbortSignal): Promise<OfferedText | null> {
    const found = this.#resource(uri);
    if (found === null) return null;
    const { upstream, own } = found;
    const answer = await upstream.source?.ask?.('resources/read', { uri: own }, signal);
    if (answer === undefined) throw noResources(upstream.id);
    const redact = redactOf(upstream);
    const { contents } = parse(Contents, answer, upstream.id);
    const shown = await Promise.all(
      contents.map(async (part) => {
        const block = await redactBlock(JsonRecord.parse(part), redact);
        return { ...block, uri: upstreamUri(upstream.id, part.uri) };
      }),
    );
    return { answer: { contents: shown }, untrustedFrom: sourceOf(upstream) };
  }

  async follow(
    uri: string,
    listener: (uri: string) => void,
    signal: AbortSignal,
  ): Promise<(() => void) | null> {
    const found = this.#resource(uri);
    if (found === null) return null;
    const { own, upstream } = found;
    const { id } = upstream;
    const changed = (what: string): void => {
      if (!this.#usable().some((each) => each.id === id)) return;
      listener(what === own ? uri : upstreamUri(id, String(redactOf(upstream).json(what))));
    };
    const stop = await upstream.source?.follow?.(own, changed, signal);
    if (stop === undefined) throw noResources(id);
    return stop;
  }

  async prompt(
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<OfferedText | null> {
    const found = this.#listNamed().find((each) => each.name === name);
    if (found === undefined) return null;
    const { upstream, prompt } = found;
    const asked = { name: String(prompt['name']), arguments: args };
    const answer = await upstream.source?.ask?.('prompts/get', asked, signal);
    if (answer === undefined) return null;
    const redact = redactOf(upstream);
    const { description, messages } = parse(Messages, answer, upstream.id);
    const shown = {
      description: `From the upstream ${upstream.id}. ${cut(String(redact.json(description ?? '')), TEXT_UNITS)}`,
      messages: await Promise.all(
        messages.map(async ({ role, content }) => ({
          role,
          content: withUri(await redactBlock(content, redact), upstream.id),
        })),
      ),
    };
    return { answer: shown, untrustedFrom: sourceOf(upstream) };
  }

  async complete(
    { ref, argument, given }: CompletionQuestion,
    signal: AbortSignal,
  ): Promise<OfferedValues | null> {
    const { upstream, own } = this.#findCompletion(ref) ?? {};
    const context = Object.keys(given).length === 0 ? {} : { context: { arguments: given } };
    const params = { ref: own, argument, ...context };
    const answer = await upstream?.source?.ask?.('completion/complete', params, signal);
    if (upstream === undefined || answer === undefined) return null;
    const { values, total, hasMore } = parse(Values, answer, upstream.id).completion;
    return {
      values: values.slice(0, VALUES_MAX).map((value) => String(redactOf(upstream).json(value))),
      ...defined({ total }),
      hasMore: hasMore || values.length > VALUES_MAX,
    };
  }

  onChange(listener: (kind: OfferKind) => void): () => void {
    return this.#changes.add(listener);
  }

  /** Reports which lists have changed. */
  notice(): void {
    const before = this.#seen;
    this.#seen = this.upstreams().map(listsOf);
    const differs = (kind: keyof OfferLists): boolean =>
      this.#seen.some((lists, at) => lists[kind] !== (before[at] ?? NOTHING)[kind]);
    if (differs('resources') || differs('templates')) this.#changes.notify('resources');
    if (differs('prompts')) this.#changes.notify('prompts');
  }

  #usable(): readonly OfferingUpstream[] {
    return this.upstreams().filter(isUsable);
  }

  /**
   * The upstream of a resource, with its own uri for it. Null for a uri that belongs to none.
   * @throws SpillwayError `resource_not_found` if it is away
   */
  #resource(uri: string): { readonly upstream: OfferingUpstream; readonly own: string } | null {
    const { id, uri: own } = SHAPE.exec(uri)?.groups ?? {};
    if (id === undefined || own === undefined) return null;
    const upstream = this.upstreams().find((each) => each.id === id);
    if (upstream === undefined || !isUsable(upstream)) throw noResources(id, upstream?.isAccepted);
    return { upstream, own };
  }

  /** @param key the member that has its address */
  #list(kind: 'resources' | 'templates', key: string, shown: readonly string[]): readonly JsonObject[] {
    return this.#usable().flatMap((upstream) => {
      const redact = redactOf(upstream);
      return listsOf(upstream)[kind].map((each): JsonObject => {
        const uri = upstreamUri(upstream.id, String(each[key]));
        return redact.json({ [key]: uri, ...membersToShow(each, shown) });
      });
    });
  }

  #listNamed() {
    // An upstream that is away has no prompts, but keeps its part of the names.
    const sources = this.upstreams().map((upstream) => {
      const { prompts } = listsOf(upstream);
      return { upstream, id: upstream.id, prompts, rawNames: prompts.map((each) => String(each['name'])) };
    });
    return nameTools(sources, () => false).flatMap(({ from: { upstream, prompts }, rawName, name }) => {
      const prompt = prompts.find((each) => each['name'] === rawName);
      return prompt === undefined ? [] : [{ name, prompt, upstream }];
    });
  }

  /** The upstream to ask about an argument, with its own name for the item. */
  #findCompletion(ref: CompletionRef) {
    if (ref.type === 'ref/prompt') {
      const found = this.#listNamed().find(({ name }) => name === ref.name);
      return (
        found && { upstream: found.upstream, own: { type: ref.type, name: String(found.prompt['name']) } }
      );
    }
    const { id, uri } = SHAPE.exec(ref.uri)?.groups ?? {};
    const upstream = this.#usable().find((each) => each.id === id);
    return upstream && uri !== undefined ? { upstream, own: { type: ref.type, uri } } : undefined;
  }
}

const redactOf = ({ output, redactors }: OfferingUpstream): Cleaner =>
  output === 'policy' ? redactors.redact : redactors.redactOwn;

const sourceOf = ({ id, output, redactors }: OfferingUpstream): OfferedText['untrustedFrom'] =>
  output === 'policy' ? clean`the upstream ${redactors.redact.json(id)}` : null;

const noResources = (id: string, isAccepted = true): SpillwayError =>
  new SpillwayError('resource_not_found', `There is no upstream ${id} with resources.`, {
    hint: isAccepted
      ? 'List the resources again: an upstream that is away has none.'
      : withOwnCommands(
          `Ask the person to accept it with \`spillway upstream accept ${id}\`; then list them.`,
        ),
  });

const isUsable = ({ source, isAccepted }: OfferingUpstream): boolean =>
  isAccepted && source !== null && source.status.state === 'ready';

const listsOf = (upstream: OfferingUpstream): OfferLists =>
  isUsable(upstream) ? (upstream.source?.offers ?? NOTHING) : NOTHING;

/** The named members that exist, with texts bounded. */
function membersToShow(of: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = of[name];
      if (value === undefined || value === null) return [];
      return [[name, typeof value === 'string' ? cut(value, TEXT_UNITS) : value]];
    }),
  );
}

/** Rewrites a block's resource, or link to one, to an address that can be read here. */
export function withUri(block: JsonObject, id: string): JsonObject {
  const { type, uri, resource } = block;
  if (type === 'resource_link' && typeof uri === 'string') return { ...block, uri: upstreamUri(id, uri) };
  if (type !== 'resource' || !isObject(resource) || typeof resource['uri'] !== 'string') return block;
  return { ...block, resource: { ...resource, uri: upstreamUri(id, resource['uri']) } };
}

function parse<T>(schema: z.ZodType<T>, answer: JsonObject, id: string): T {
  if (Buffer.byteLength(JSON.stringify(answer)) > LIMITS.outputInlineMaxBytes)
    throw new SpillwayError('upstream_error', `The upstream ${id} answered more than 16 MiB.`);
  const { data, error } = schema.safeParse(answer);
  if (data !== undefined) return data;
  const where = error?.issues[0]?.path.map(String).join('.') ?? '';
  throw new SpillwayError(
    'upstream_error',
    `The answer of the upstream ${id} is malformed at ${where || 'its root'}.`,
  );
}
