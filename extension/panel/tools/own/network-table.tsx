import { Button } from '../../components/button.tsx';
import { FilterField } from '../../components/filter-field.tsx';
import { useNetworkWords } from './network-requests.ts';
import { Fragment, type JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatDuration, formatNumber, formatSize } from '../../../words/format.ts';
import { Badge, Icon } from '../../components/marks.tsx';
import { RequestDetail } from './network-detail.tsx';
import { type ShownRequest, matches, spanOf } from './network-requests.ts';

/** Rows that are drawn at first, and that a press adds. */
const STEP = 50;

interface Props {
  readonly requests: readonly ShownRequest[];
  /** With a field that filters. */
  readonly hasFilter?: boolean;
}

/** Requests as a browser's network panel lists them. The button of a row opens all that was captured of it. */
export function RequestTable({ requests, hasFilter = false }: Props): JSX.Element {
  const words = useNetworkWords();
  const [shown, setShown] = useState(STEP);
  const [filter, setFilter] = useState('');
  const found = filter === '' ? requests : requests.filter((request) => matches(request, filter));
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
            {found.slice(0, shown).map((request, at) => (
              <RequestRow key={at} request={request} span={span} />
            ))}
          </tbody>
        </table>
      )}
      <Totals found={found} requests={requests} />
      {found.length > shown && (
        <Button kind="c-more" onClick={() => setShown(shown + STEP)}>
          {words.more(formatNumber(Math.min(STEP, found.length - shown)))}
        </Button>
      )}
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
        ? words.count(found.length, formatNumber(found.length))
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
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <Fragment>
      <tr class={isBad(request) ? 'bad' : undefined}>
        <th scope="row">
          <button
            type="button"
            class="c-opener"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            title={reveal(url)}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="closed" />
            <span class="c-method">{reveal(method)}</span> <bdi class="c-name">{reveal(name)}</bdi>
          </button>
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
      {isOpen && (
        <tr>
          <td colSpan={6} id={id}>
            <RequestDetail request={request} />
          </td>
        </tr>
      )}
    </Fragment>
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

/** When a request began and how long it took, next to the others. */
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
