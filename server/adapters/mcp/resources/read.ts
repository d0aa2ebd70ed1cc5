import type { ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { SpillwayError } from '../../../../shared/errors.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { MIME } from '../../../../shared/mime.ts';
import { fenceMarks, untrustedNote } from '../../../core/calls/notes.ts';
import type { CleanText } from '../../../redact/clean.ts';
import { UPSTREAM_SCHEME } from '../../../core/upstream-offers.ts';
import type { OutputResources } from '../../../core/resources.ts';
import { describeRun } from '../../../core/calls/run-answer.ts';
import type { StoredFacts } from '../../../core/services.ts';
import type { McpSession } from '../session.ts';
import { pageUri, parseUri, type PageQuery, type ResourceName } from './uris.ts';

type Contents = ReadResourceResult['contents'][number];

/**
 * `resources/read`. A handle is a capability: who knows it may read it, listed or not.
 * @throws SpillwayError `resource_not_found`, `output_handle_not_found`, `run_not_found`
 */
export async function readResource(
  mcp: McpSession,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const own = mcp.options.ownResources?.find((candidate) => candidate.matches(uri));
  if (own !== undefined) return { contents: [...(await own.read(uri))] };
  const { resources } = mcp.options;
  const name = parseUri(uri);
  const contents =
    resources === undefined
      ? null
      : name === null
        ? ((await readOffered(mcp, uri, signal)) ?? (await readWidget(mcp, uri)))
        : await readCounted(mcp, resources, { uri, name, signal });
  if (contents === null)
    throw new SpillwayError(
      'resource_not_found',
      `There is no resource ${JSON.stringify(uri.slice(0, 200))}.`,
    );
  return { contents: [...contents] };
}

type ServedResources = NonNullable<McpSession['options']['resources']>;

/** Stored outputs and runs count as answers do. @throws SpillwayError `budget_exceeded` */
async function readCounted(
  { session, options }: McpSession,
  resources: ServedResources,
  request: Parameters<typeof readNamed>[1],
): Promise<readonly Contents[]> {
  const { meter } = options.executor;
  meter.check(session);
  const contents = await readNamed(resources, request);
  const texts = contents.flatMap((part) => ('text' in part ? [part.text] : []));
  meter.sent(session, 'resources/read', texts.join('\n'));
  return contents;
}

const OfferedContents = z.custom<{ readonly contents: readonly Contents[] }>();

/** A resource of another server counts, too. Null for what is not one. */
async function readOffered(
  { session, options }: McpSession,
  uri: string,
  signal: AbortSignal,
): Promise<readonly Contents[] | null> {
  const { resources, executor } = options;
  if (!uri.startsWith(UPSTREAM_SCHEME)) return null;
  executor.meter.check(session);
  const read = (await resources?.upstreams?.read(uri, signal)) ?? null;
  if (resources === undefined || read === null) return null;
  const { contents } = OfferedContents.parse(read.answer);
  const texts = contents.flatMap((part) => ('text' in part ? [part.text] : []));
  executor.meter.sent(session, 'resources/read', texts.join('\n'));
  const { untrustedFrom: source } = read;
  const isFenced = resources.contentBoundaries;
  return source === null ? contents : distrusted(contents, { uri, source, isFenced });
}

async function readNamed(
  { outputs, runs, contentBoundaries }: ServedResources,
  { uri, name, signal }: { readonly uri: string; readonly name: ResourceName; readonly signal: AbortSignal },
): Promise<readonly Contents[]> {
  if (name.kind === 'run') return [toJson(uri, describeRun(await runs.get(name.runId)))];
  const { handle, page } = name;
  const whole = page === null ? await readWhole(outputs, { uri, handle, signal }) : null;
  const { contents, stored } = whole ?? (await readPage(outputs, { uri, handle, page: page ?? {}, signal }));
  return stored.untrustedFrom === null
    ? [contents]
    : distrusted([contents], { uri, source: stored.untrustedFrom, isFenced: contentBoundaries });
}

/** What was read of an output, and what is known of the whole. */
interface ReadOutput {
  readonly contents: Contents;
  readonly stored: StoredFacts;
}

/**
 * Marks page text as untrusted. A resource has no notes, and its text has to stay what
 * was stored: contents of their own say it, each under a part of the uri that cannot be read.
 */
function distrusted(
  contents: readonly Contents[],
  of: { readonly uri: string; readonly source: CleanText; readonly isFenced: boolean },
): readonly Contents[] {
  const { uri, source, isFenced } = of;
  const textPart = (part: string, text: string): Contents => ({
    uri: `${uri}#${part}`,
    mimeType: MIME.text,
    text,
  });
  const note = textPart('note', untrustedNote(source));
  if (!isFenced) return [...contents, note];
  const { open, close } = fenceMarks();
  return [textPart('untrusted', open), ...contents, textPart('end', close), note];
}

const toJson = (uri: string, value: object): Contents => ({
  uri,
  mimeType: MIME.json,
  text: JSON.stringify(value),
});

/** The stored bytes under their own type; null when one page (`--output-page-bytes`) does not hold them. */
async function readWhole(
  outputs: OutputResources,
  { uri, handle, signal }: { readonly uri: string; readonly handle: string; readonly signal: AbortSignal },
): Promise<ReadOutput | null> {
  // The size of a page is the bound here, not the default limit of a call.
  const limit = LIMITS.outputFetchBytesMax;
  const { page, stored } = await outputs.fetch(
    { output_handle: handle, offset: 0, limit, format: 'bytes', encoding: 'auto' },
    signal,
  );
  if (!page.eof || typeof page.content !== 'string') return null;
  const { mimeType, kind } = stored;
  const { content } = page;
  return {
    contents: { uri, mimeType, ...(kind === 'bytes' ? { blob: content } : { text: content }) },
    stored,
  };
}

/** One page as oc_output_fetch answers it, and the uri of the next one: null at the end. */
async function readPage(
  outputs: OutputResources,
  request: {
    readonly uri: string;
    readonly handle: string;
    readonly page: PageQuery;
    readonly signal: AbortSignal;
  },
): Promise<ReadOutput> {
  const { uri, handle, page: query, signal } = request;
  const { offset = 0, limit, format = 'auto', encoding = 'auto' } = query;
  const fetched = await outputs.fetch({ output_handle: handle, offset, limit, format, encoding }, signal);
  const { page, stored } = fetched;
  const next = page.next_offset === null ? null : pageUri(handle, { ...query, offset: page.next_offset });
  return { contents: toJson(uri, { ...page, next }), stored };
}

/** Null if it is not a widget of the running mode. */
async function readWidget({ options }: McpSession, uri: string): Promise<readonly Contents[] | null> {
  const { widgets } = options.executor.registry.mode;
  const name = widgets?.names.find((widget) => widgets.uri(widget) === uri);
  const files = options.resources?.widgets;
  if (widgets === null || name === undefined || files === undefined) return null;
  return [
    {
      uri,
      mimeType: widgets.mimeType,
      text: await files.read(name),
      _meta: { ...widgets.resourceMeta(name) },
    },
  ];
}
