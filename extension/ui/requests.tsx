import { useState } from 'preact/hooks';
import { reveal } from '../../shared/core/policy/reveal.ts';
import { faceTexts } from './words/en/faces.ts';
import { formatDuration, formatMoment, formatNumber, formatSize } from './words/format.ts';
import { useTexts } from './words/use-texts.ts';
import { CodeBlock, codeOf, FilterField, KeyValues, Badge, Opener, useOpen, useShown } from './kit.tsx';
import { asTime } from './shown.ts';
import type { CapturedEntry } from './layout.ts';
import { readJson, revealLines } from './text.ts';
import { Address } from './value.tsx';

/** A captured request in the table. */
type ShownRequest = ReturnType<typeof readRequest>;

function readRequest(entry: CapturedEntry) {
  const { request, response } = entry;
  const { status, content, _transferSize: transferred, bodySize } = response;
  const { url, method } = request;
  return {
    method,
    url,
    /** Path and query, without what a site's requests share; the host for `/`. */
    name: formatRequestName(url),
    status: status === 0 ? null : status,
    error: entry._error ?? response._error ?? null,
    isPending: entry._pending === true,
    type: entry._resourceType ?? content.mimeType.split(';')[0] ?? '',
    // HAR writes -1 for unknown sizes.
    sizeBytes: [transferred, bodySize, content.size].find((bytes = -1) => bytes >= 0) ?? null,
    durationMs: entry.time,
    /** Milliseconds since the epoch. */
    startedAt: asTime(entry.startedDateTime),
    /** The whole captured entry. */
    entry,
  };
}

function formatRequestName(address: string): string {
  if (!URL.canParse(address)) return address;
  const { host, pathname, search } = new URL(address);
  const last = pathname.split('/').findLast((part) => part !== '');
  return last === undefined ? `${host}/${search}` : `${last}${pathname.endsWith('/') ? '/' : ''}${search}`;
}

/** The time span of a table's requests. */
function spanOf(requests: readonly ShownRequest[]): { readonly from: number; readonly lengthMs: number } {
  let from = Infinity;
  let to = -Infinity;
  for (const { startedAt, durationMs } of requests) {
    if (startedAt === null) continue;
    from = Math.min(from, startedAt);
    to = Math.max(to, startedAt + durationMs);
  }
  return from === Infinity ? { from: 0, lengthMs: 0 } : { from, lengthMs: to - from };
}

/** Whether a request matches a filter text. */
const matches = ({ url, method, status, type }: ShownRequest, text: string): boolean =>
  `${method} ${String(status ?? '')} ${type} ${url}`.toLowerCase().includes(text.trim().toLowerCase());

/** Headers as pairs of name and value. */
const headersIn = ({ headers }: Pick<CapturedEntry['request'], 'headers'>): NamedValues =>
  headers.map(({ name, value }) => [name, value]);

function useRequestWords() {
  const words = useTexts(faceTexts);
  return { ...words, ...words.network };
}

/** Everything captured of one request. */
function RequestDetail({ request }: { readonly request: ShownRequest }) {
  const words = useRequestWords();
  const { url, method, status, error, startedAt, durationMs, entry } = request;
  const { request: sent, response, timings, _initiator: initiator } = entry;
  const { text, encoding } = response.content;
  const body = encoding === 'base64' ? '' : (text ?? '');
  const payload = sent.postData?.text ?? '';
  const answered = status === null ? null : `${status} ${response.statusText}`.trim();
  const phases = Object.entries(words.phases).flatMap(([name, word]) => {
    const { [name]: ms } = timings;
    return typeof ms !== 'number' || ms < 0 ? [] : [[word, formatDuration(ms)] as const];
  });
  return (
    <div class="c-detail flow">
      <KeyValues
        rows={[
          [words.address, <Address url={url} />],
          [words.method, codeOf(method)],
          [words.status, theirs(answered)],
          [words.error, theirs(error)],
          [words.started, startedAt === null ? null : formatMoment(startedAt)],
          [words.initiator, theirs(initiator?.url ?? initiator?.type ?? null)],
        ]}
      />
      {payload !== '' && <CodeBlock text={pretty(payload)} label={words.payload} />}
      {body !== '' && <CodeBlock text={pretty(body)} label={words.response} />}
      {body === '' && <p class="dim">{words.noBody}</p>}
      {folded(words.responseHeaders, headersIn(response))}
      {folded(words.requestHeaders, headersIn(sent))}
      {folded(words.timing, phases, formatDuration(durationMs))}
    </div>
  );
}

type NamedValues = readonly (readonly [name: string, value: string])[];

const folded = (title: string, facts: NamedValues, count = String(facts.length)) =>
  facts.length === 0 ? null : (
    <details class="c-part">
      <summary>{`${title} ${count}`.trim()}</summary>
      <KeyValues rows={facts.map(([name, value]) => [name, theirs(value)])} />
    </details>
  );

const theirs = (text: string | null) => (text === null ? null : <bdi>{revealLines(text)}</bdi>);

/** JSON is easier to read over several lines. */
function pretty(text: string): string {
  const json = /^\s*[[{]/.test(text) ? readJson(text) : undefined;
  return json === undefined ? text : JSON.stringify(json, null, 2);
}

/** Rows drawn at first, and with each press. */
const STEP = 50;

const COLUMNS = [
  ['name', undefined],
  ['status', 'numeric'],
  ['type', 'wide'],
  ['size', 'numeric wide'],
  ['time', 'numeric'],
  ['waterfall', 'waterfall'],
] as const;

type TableProps = { readonly entries: readonly CapturedEntry[]; readonly hasFilter?: boolean };

/** Requests as in a browser's network panel. A row's button opens everything captured of it. */
export function RequestTable({ entries, hasFilter = false }: TableProps) {
  const words = useRequestWords();
  const { interact, showMore } = words;
  const [filter, setFilter] = useState('');
  const requests = entries.map(readRequest);
  const found = filter === '' ? requests : requests.filter((request) => matches(request, filter));
  const [shown, more] = useShown(found, STEP, showMore);
  const span = spanOf(requests);
  const { lengthMs } = spanOf(found);
  const rows = shown.map((request) => <RequestRow request={request} span={span} />);
  const bytes = found.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
  return (
    <section class="c-requests" aria-label={interact.parts.requests}>
      {hasFilter && <FilterField label={words.filter} value={filter} onInput={setFilter} />}
      {found.length === 0 && <p class="c-empty dim">{words.none}</p>}
      {found.length > 0 && (
        <table class="c-table">
          <thead>
            <tr>
              {COLUMNS.map(([name, kind]) => (
                <th key={name} scope="col" class={kind}>
                  {words[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{rows}</tbody>
        </table>
      )}
      {requests.length > 0 && (
        <p class="quiet above" role="status">
          {found.length === requests.length
            ? words.count({ count: found.length })
            : words.found({ found: formatNumber(found.length), all: formatNumber(requests.length) })}
          {' · '}
          {words.received({ size: formatSize(bytes) })}
          {lengthMs > 0 && ` · ${words.lasted({ time: formatDuration(lengthMs) })}`}
        </p>
      )}
      {more}
    </section>
  );
}

type RowProps = { readonly request: ShownRequest; readonly span: ReturnType<typeof spanOf> };

function RequestRow({ request, span }: RowProps) {
  const { method, name, url, type, sizeBytes, durationMs } = request;
  const open = useOpen();
  return (
    <>
      <tr>
        <th scope="row">
          <Opener {...open} title={reveal(url)}>
            <code class="fixed dim tiny">{reveal(method)}</code>{' '}
            <bdi class={`c-name clip ${isBad(request) ? 'bad' : ''}`}>{reveal(name)}</bdi>
          </Opener>
        </th>
        <td class="numeric">
          <Status request={request} />
        </td>
        <td class="wide">
          <bdi>{reveal(type)}</bdi>
        </td>
        <td class="numeric wide">{sizeBytes === null ? '' : formatSize(sizeBytes)}</td>
        <td class="numeric">{formatDuration(durationMs)}</td>
        <td class="waterfall">
          <Bar request={request} span={span} />
        </td>
      </tr>
      {open.isOpen && (
        <tr>
          <td colSpan={6} id={open.id}>
            <RequestDetail request={request} />
          </td>
        </tr>
      )}
    </>
  );
}

const isBad = ({ status, error }: ShownRequest): boolean =>
  error !== null || (status !== null && status >= 400);

function Status({ request }: Pick<RowProps, 'request'>) {
  const words = useRequestWords();
  const { status, isPending, error } = request;
  if (status !== null) return <Badge tone={isBad(request) ? 'bad' : 'plain'}>{String(status)}</Badge>;
  if (isPending && error === null) return <Badge tone="busy">{words.pending}</Badge>;
  return <Badge tone="bad">{words.failed}</Badge>;
}

/** A request's start and duration, compared with the others. */
function Bar({ request, span }: RowProps) {
  const words = useRequestWords();
  const { startedAt, durationMs: length } = request;
  if (startedAt === null || span.lengthMs <= 0) return null;
  const share = (ms: number): number => Math.min(100, Math.max(0, (ms / span.lengthMs) * 100));
  const start = startedAt - span.from;
  return (
    <span
      class="c-bar"
      role="img"
      aria-label={words.when({ start: formatDuration(start), length: formatDuration(length) })}
    >
      <span style={{ marginInlineStart: `${share(start)}%`, width: `${share(length)}%` }} />
    </span>
  );
}
