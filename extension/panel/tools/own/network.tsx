import { type JsonObject, type JsonValue, isObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatDuration, formatMoment, formatNumber, formatSize } from '../../../words/format.ts';
import { FilterField } from '../../components/filter-field.tsx';
import { Badge } from '../../components/marks.tsx';
import { asRecord, asRecords, asText, numberIn, textIn } from '../../components/read-json.ts';
import { Opener, useOpen, useShown } from '../../components/opener.tsx';
import { ItemsFooter } from '../../components/record-table.tsx';
import type { Block, Blocks, Fact, Given, Line, View } from '../block.ts';
import { BlockList, renderOfView } from '../blocks.tsx';
import { wordFor } from '../views/values.ts';
import {
  type ShownRequest,
  headersIn,
  matches,
  phasesIn,
  requestsIn,
  spanOf,
  useNetworkWords,
} from './network-requests.ts';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

/** Everything captured of one request. */
function RequestDetail({ request }: { readonly request: ShownRequest }): JSX.Element {
  const words = useNetworkWords();
  const { url, method, status, error, startedAt, durationMs, entry } = request;
  const response = asRecord(entry['response']);
  const content = asRecord(response['content']);
  const payload = textIn(asRecord(entry['request'])['postData'], 'text');
  const body = content['encoding'] === 'base64' ? null : asText(content['text']);
  const initiator = entry['_initiator'];
  const phases = phasesIn(entry);
  const headers = (title: string, message: Parameters<typeof headersIn>[0]): Block | false => {
    const found = headersIn(message);
    return found.length > 0 && { fold: `${title} ${found.length}`, blocks: [{ facts: found }] };
  };
  return (
    <div class="c-detail">
      <BlockList
        blocks={[
          {
            facts: [
              [words.address, { url }],
              [words.method, { code: method }],
              [
                words.status,
                status === null ? null : `${status} ${textIn(response, 'statusText') ?? ''}`.trim(),
              ],
              [words.error, error],
              [words.started, startedAt === null ? null : formatMoment(startedAt)],
              [words.initiator, textIn(initiator, 'url') ?? textIn(initiator, 'type')],
            ],
          },
          payload !== null && { text: pretty(payload), as: 'code', label: words.payload },
          body === null ? { note: words.noBody } : { text: pretty(body), as: 'code', label: words.response },
          headers(words.responseHeaders, response),
          headers(words.requestHeaders, entry['request']),
          phases.length > 0 && {
            fold: durationMs === null ? words.timing : `${words.timing} ${formatDuration(durationMs)}`,
            blocks: [
              { facts: phases.map(([name, ms]) => [wordFor(words.phases, name), formatDuration(ms)]) },
            ],
          },
        ]}
      />
    </div>
  );
}

/** JSON is easier to read over several lines. */
function pretty(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Rows drawn at first, and with each press. */
const STEP = 50;

interface Props {
  readonly requests: readonly ShownRequest[];
  /** With a filter field. */
  readonly hasFilter?: boolean;
}

/** Requests as in a browser's network panel. A row's button opens everything captured of it. */
function RequestTable({ requests, hasFilter = false }: Props): JSX.Element {
  const words = useNetworkWords();
  const [filter, setFilter] = useState('');
  const found = filter === '' ? requests : requests.filter((request) => matches(request, filter));
  const [shown, more] = useShown(found, STEP, words.more);
  const span = spanOf(requests);
  return (
    <section class="c-requests" aria-label={words.requests}>
      {hasFilter && <FilterField label={words.filter} value={filter} onInput={setFilter} />}
      {found.length === 0 ? (
        <p class="c-empty">{words.none}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{words.name}</th>
              <th scope="col" class="numeric">
                {words.status}
              </th>
              <th scope="col" class="wide">
                {words.type}
              </th>
              <th scope="col" class="numeric wide">
                {words.size}
              </th>
              <th scope="col" class="numeric">
                {words.time}
              </th>
              <th scope="col" class="waterfall">
                {words.waterfall}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((request, at) => (
              <RequestRow key={at} request={request} span={span} />
            ))}
          </tbody>
        </table>
      )}
      <Totals found={found} requests={requests} />
      {more}
    </section>
  );
}

function Totals({
  found,
  requests,
}: Record<'found' | 'requests', readonly ShownRequest[]>): JSX.Element | null {
  const words = useNetworkWords();
  if (requests.length === 0) return null;
  const bytes = found.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
  const { lengthMs } = spanOf(found);
  return (
    <p class="c-hint" role="status">
      {found.length === requests.length
        ? words.count(found.length)
        : words.found(formatNumber(found.length), formatNumber(requests.length))}
      {' · '}
      {words.received(formatSize(bytes))}
      {lengthMs > 0 && ` · ${words.lasted(formatDuration(lengthMs))}`}
    </p>
  );
}

interface RowProps {
  readonly request: ShownRequest;
  readonly span: ReturnType<typeof spanOf>;
}

function RequestRow({ request, span }: RowProps): JSX.Element {
  const { method, name, url, type, sizeBytes, durationMs } = request;
  const open = useOpen();
  return (
    <>
      <tr class={isBad(request) ? 'bad' : undefined}>
        <th scope="row">
          <Opener {...open} title={reveal(url)}>
            <span class="c-method">{reveal(method)}</span> <bdi class="c-name">{reveal(name)}</bdi>
          </Opener>
        </th>
        <td class="numeric">
          <Status request={request} />
        </td>
        <td class="wide">
          <bdi>{reveal(type)}</bdi>
        </td>
        <td class="numeric wide">{sizeBytes === null ? '' : formatSize(sizeBytes)}</td>
        <td class="numeric">{durationMs === null ? '' : formatDuration(durationMs)}</td>
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

function Status({ request }: Pick<RowProps, 'request'>): JSX.Element {
  const words = useNetworkWords();
  const { status, isPending, error } = request;
  if (status !== null) return <Badge tone={isBad(request) ? 'bad' : 'plain'}>{String(status)}</Badge>;
  if (isPending && error === null) return <Badge tone="busy">{words.pending}</Badge>;
  return <Badge tone="bad">{words.failed}</Badge>;
}

/** A request's start and duration, compared with the others. */
function Bar({ request, span }: RowProps): JSX.Element | null {
  const words = useNetworkWords();
  const { startedAt, durationMs } = request;
  if (startedAt === null || span.lengthMs <= 0) return null;
  const share = (ms: number): number => Math.min(100, Math.max(0, (ms / span.lengthMs) * 100));
  const start = startedAt - span.from;
  const length = durationMs ?? 0;
  return (
    <span class="c-bar" role="img" aria-label={words.when(formatDuration(start), formatDuration(length))}>
      <span style={{ marginInlineStart: `${share(start)}%`, width: `${share(length)}%` }} />
    </span>
  );
}

type Words = Given['words']['network'];

/** A figure, if there is anything to count. */
const countFact = (of: JsonValue, name: string, label: string): Fact => {
  const count = numberIn(of, name) ?? 0;
  return [label, count > 0 ? formatNumber(count) : null];
};

function captureLine(capture: JsonObject, words: Words): Line {
  const isCapturing = capture['state'] === 'capturing';
  const bodies = textIn(capture, 'bodies');
  return {
    marks: [[isCapturing ? 'busy' : 'off', wordFor(words.state, textIn(capture, 'state') ?? '')]],
    quiet: [`${words.tab} ${textIn(capture, 'tab') ?? ''}`],
    blocks: [
      {
        facts: [
          [words.bodies, bodies === null ? null : wordFor(words.kept, bodies)],
          [words.ended, textIn(capture, 'ended')],
          countFact(capture, 'gaps', words.gaps),
        ],
      },
    ],
  };
}

/** Memory is bounded: dropped items are listed. */
function captureBlocks(value: JsonObject, words: Words): Blocks {
  const isList = Array.isArray(value['captures']);
  const captures = isList ? asRecords(value['captures']) : textIn(value, 'state') === null ? [] : [value];
  const [entries, size, most] = ['entries', 'size_bytes', 'max_bytes'].map(
    (name) => numberIn(value, name) ?? null,
  );
  const room = size == null || most == null ? null : words.roomOf(formatSize(size), formatSize(most));
  const ring: Block = {
    facts: [
      [words.entries, formatNumber(entries ?? 0)],
      [words.room, room],
      countFact(value, 'dropped_entries', words.dropped),
      countFact(value, 'dropped_bodies', words.droppedBodies),
    ],
  };
  return [
    isList && captures.length === 0 && { note: words.noCaptures },
    captures.length > 0 && { items: captures.map((capture) => captureLine(capture, words)) },
    { facts: [[words.cleared, { code: textIn(value, 'cleared') }]] },
    entries !== null && ring,
  ];
}

/** A slice as a table, a curl command as text, a capture as its state. */
const viewOf =
  (isPortal: boolean): View =>
  ({ value, actions: { page }, words: { network: words } }) => {
    const requests = requestsIn(value);
    if (requests === null)
      return [
        ...(isObject(value) ? captureBlocks(value, words) : []),
        typeof value === 'string' && value !== '' && { text: value, as: 'code' },
      ];
    const footer = page !== null && (
      <ItemsFooter rows={requests.map(({ entry }) => entry)} canCopy {...page} />
    );
    return [{ own: <RequestTable requests={requests} hasFilter={isPortal} /> }, { own: footer }];
  };

export const Network = renderOfView(viewOf(false));
/** All requests, with a filter. */
export const NetworkPortal = renderOfView(viewOf(true));
