import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { SpillwayError } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import type { Coverage } from '../../shared/core/bridge/page.ts';
import { textsOf } from '../../shared/base/cut.ts';
import type { StreamMethodName, StreamMethodParams } from '../../shared/core/bridge/methods.ts';
import type { JsonValue, JsonObject } from '../../shared/base/json.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { ReadFormat } from '../../shared/read/read_page.methods.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import { writeHar } from '../network/har-log.ts';
import { parseJsonLines, type TabTarget } from '../core/targets.ts';
import type { RawPayload, RedactionReport } from '../core/result.ts';
import { withResult } from '../../shared/base/queue.ts';
import type { CleanBytes } from '../libraries/redaction/clean.ts';
import { redactMhtml, bytesOf, decodePicture, gather } from './mhtml.ts';
import type { EvidencePart } from '../../shared/evidence/oc_evidence_bundle.manifest.ts';
import type { ToolServices } from '../core/index.ts';

const Security = z.looseObject({ kind: z.literal('security'), certificates: z.array(z.string()) });

/** The worker's lines, certificates described in words, and the server's additions. */
async function* withServerFacts(
  lines: AsyncIterable<JsonValue>,
  { services, target }: SourceRequest,
): AsyncGenerator<JsonValue, void> {
  for await (const line of lines) {
    const security = Security.safeParse(line);
    yield security.success
      ? { ...security.data, certificates: security.data.certificates.map(describeCertificate) }
      : line;
  }
  const browser = services.bridge.browsers().find(({ id }) => id === target.browser);
  yield {
    kind: 'server',
    version: services.version,
    host_version: browser?.hostVersion ?? null,
    wire: browser?.wire ?? null,
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
  };
  yield {
    kind: 'server_time',
    at: new Date(services.clock.now()).toISOString(),
    monotonic_ms: Math.round(services.clock.monotonic()),
  };
}

function describeCertificate(der: string): JsonObject {
  try {
    const certificate = new X509Certificate(Buffer.from(der, 'base64'));
    return {
      subject: certificate.subject,
      issuer: certificate.issuer,
      names: certificate.subjectAltName ?? null,
      valid_from: certificate.validFrom,
      valid_to: certificate.validTo,
      serial: certificate.serialNumber,
      sha256_fingerprint: certificate.fingerprint256,
    };
  } catch (thrown) {
    return { not_read: messageOf(thrown) };
  }
}

export type EvidenceServices = Pick<
  ToolServices,
  'bridge' | 'redactor' | 'scratch' | 'clock' | 'version' | 'network' | 'evidenceKey' | 'evidenceTimestampUrl'
>;

export interface SourceRequest {
  readonly services: EvidenceServices;
  readonly target: TabTarget;
  readonly context: CallContext;
  /** Aborted at the part's deadline and when the call ends. */
  readonly signal: AbortSignal;
  /** Wall clock of the reload that the bundle began with. */
  readonly reloadedAt: number | null;
}

/** A part that is redacted as it is read. */
interface OpenPart {
  readonly chunks: AsyncIterable<CleanBytes>;
  /** Notes, once the chunks were consumed. */
  readonly remarks: () => readonly string[];
  /** Null if no redactor can read it. Complete once the chunks were consumed. */
  readonly report: () => RedactionReport | null;
}

type Source = (request: SourceRequest) => OpenPart | Promise<OpenPart>;

const streamOf = <M extends StreamMethodName>(
  { services, target, context, signal }: SourceRequest,
  method: M,
  params: StreamMethodParams<M>,
) => withResult(services.bridge.stream(target.browser, method, params, { call: context.call, signal }));

async function redactSource(
  { services }: SourceRequest,
  raw: RawPayload,
  remarks: OpenPart['remarks'],
): Promise<OpenPart> {
  const { payload, report } = await services.redactor.payload(raw);
  return { chunks: bytesOf(payload), remarks, report };
}

const lineOf = ({ kind, detail }: Coverage): string => `${kind}: ${detail}`;

/** A picture as PNG in full size. */
const picture =
  (area: 'viewport' | 'full_page'): Source =>
  (request) => {
    const { values, result } = streamOf(request, 'page.screenshot', {
      tab_id: request.target.tabId,
      caller: callerOf(request.context),
      area,
      whole: true,
      selector: null,
      ref: null,
      format: 'png',
      quality: 100,
      max_pixels: null,
    });
    const remarks = (): string[] => {
      const { width, height, scale, coverage } = result();
      const size = `${width} × ${height} pixels, ${scale} per CSS pixel. Images cannot be redacted.`;
      return [size, ...coverage.map(lineOf)];
    };
    return { chunks: decodePicture(values), remarks, report: () => null };
  };

/** The page's text as `read_page` writes it; HTML includes hidden text, doctype and head. */
const reading =
  (format: Exclude<ReadFormat, 'nodes'>): Source =>
  (request) => {
    const { values, result } = streamOf(request, 'page.read', {
      tab_id: request.target.tabId,
      caller: callerOf(request.context),
      format,
      selector: null,
      main_content_only: false,
      include_links: format !== 'snapshot',
      include_hidden: format === 'html',
      include_head: format === 'html',
    });
    const remarks = (): string[] => result().coverage.map(lineOf);
    return redactSource(request, { kind: 'text', mimeType: MIME.text, chunks: values }, remarks);
  };

/** The page as MHTML, its text parts redacted one by one. */
const mhtml: Source = (request) => {
  const { values } = streamOf(request, 'page.mhtml', { tab_id: request.target.tabId });
  const cleaned = redactMhtml(values, request.services.redactor);
  const remarks = (): string[] => {
    const opaque = cleaned.opaqueParts();
    return opaque === 0 ? [] : [`Images, fonts and media in it cannot be redacted: ${opaque}.`];
  };
  return { chunks: gather(cleaned.chunks), remarks, report: cleaned.report };
};

const items = (lines: AsyncIterable<JsonValue>): RawPayload => ({
  kind: 'items',
  mimeType: MIME.json,
  items: lines,
});

/** Facts, and the names and numbers of cookies, storage and timing. */
const listing =
  (part: 'facts' | 'cookies' | 'storage' | 'performance'): Source =>
  (request) => {
    const { values } = streamOf(request, 'page.facts', { tab_id: request.target.tabId, part });
    const lines = parseJsonLines(values);
    const all = part === 'facts' ? withServerFacts(lines, request) : lines;
    return redactSource(request, items(all), () => []);
  };

/** The page's console messages since its load, as far as the browser kept them. */
const messages: Source = (request) => {
  const { values, result } = streamOf(request, 'page.console', { tab_id: request.target.tabId });
  const remarks = (): string[] => {
    const { dropped, left_out: left = 0 } = result();
    return textsOf(
      dropped > 0 && `The browser dropped ${dropped} older messages.`,
      left > 0 && `${left} messages from while a person had the tab are left out.`,
    );
  };
  return redactSource(request, items(parseJsonLines(values)), remarks);
};

/**
 * The captured requests of the tab, as a HAR document.
 * @throws SpillwayError `capture_not_running`
 */
const requests: Source = async (request) => {
  const { services, target, context, signal, reloadedAt } = request;
  const { network } = services;
  if (!network.has(context.session, target))
    throw new SpillwayError('capture_not_running', 'This tab is not being captured.', {
      hint: 'Call network with action "start", load the page, then call again; or pass reload: true.',
    });
  const filter = reloadedAt === null ? {} : { since: new Date(reloadedAt).toISOString() };
  const query = { tab: target, filter, sort: null, bodies: 'all' } as const;
  const slice = await network.entries(context.session, query, signal);
  const chunks = writeHar(slice, { version: services.version, browser: browserOf(request) });
  // Entries were redacted on arrival; facts about them accumulate while they are read.
  return { chunks: gather(chunks), remarks: () => [...slice.coverage], report: () => slice.redacted };
};

function browserOf({ services, target }: SourceRequest): { name: string; version: string } | null {
  const state = services.bridge.browsers().find(({ id }) => id === target.browser);
  return state === undefined ? null : { name: state.facts.name, version: state.facts.version };
}

/** A part in the archive. */
export interface PartKind {
  readonly part: EvidencePart;
  readonly name: string;
  readonly type: string;
  readonly source: Source;
}

/**
 * In the order of their capture. Fast-changing parts that disturb nothing come first: the picture of the
 * viewport, within milliseconds the document in its forms, then its facts and measurements. Console and
 * requests grow by themselves, and each entry has its time. The full page comes last, because taking it makes
 * the page lay itself out again and load content out of sight.
 */
export const PART_KINDS: readonly PartKind[] = [
  { part: 'screenshot', name: 'screenshot.png', type: MIME.png, source: picture('viewport') },
  { part: 'html', name: 'page.html', type: MIME.html, source: reading('html') },
  { part: 'snapshot', name: 'page.snapshot.txt', type: MIME.snapshot, source: reading('snapshot') },
  { part: 'markdown', name: 'page.md', type: MIME.markdown, source: reading('markdown') },
  { part: 'facts', name: 'facts.json', type: MIME.json, source: listing('facts') },
  { part: 'performance', name: 'performance.json', type: MIME.json, source: listing('performance') },
  { part: 'storage', name: 'storage.json', type: MIME.json, source: listing('storage') },
  { part: 'cookies', name: 'cookies.json', type: MIME.json, source: listing('cookies') },
  { part: 'mhtml', name: 'page.mhtml', type: 'multipart/related', source: mhtml },
  { part: 'console', name: 'console.json', type: MIME.json, source: messages },
  { part: 'network', name: 'network.har', type: MIME.json, source: requests },
  { part: 'full_page', name: 'full-page.png', type: MIME.png, source: picture('full_page') },
];
