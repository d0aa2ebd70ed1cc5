import { useNetworkWords } from './network-requests.ts';
import type { ComponentChildren, JSX } from 'preact';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatDuration, formatMoment } from '../../../words/format.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Link } from '../../components/page-head.tsx';
import { asRecord, asText } from '../../components/read-json.ts';
import { safeHref } from '../../components/text.ts';
import { type ShownRequest, headersIn, phasesIn } from './network-requests.ts';

interface Props {
  readonly request: ShownRequest;
}

/** All that was captured of one request. */
export function RequestDetail({ request }: Props): JSX.Element {
  const words = useNetworkWords();
  const { entry } = request;
  const response = asRecord(entry['response']);
  const content = asRecord(response['content']);
  const payload = asText(asRecord(asRecord(entry['request'])['postData'])['text']);
  const body = content['encoding'] === 'base64' ? null : asText(content['text']);
  return (
    <div class="c-detail">
      <General request={request} />
      {payload !== null && <CodeBlock text={pretty(payload)} label={words.payload} />}
      {body === null ? (
        <p class="c-quiet">{words.noBody}</p>
      ) : (
        <CodeBlock text={pretty(body)} label={words.response} />
      )}
      <Headers title={words.responseHeaders} headers={headersIn(response)} />
      <Headers title={words.requestHeaders} headers={headersIn(entry['request'])} />
      <Timing request={request} />
    </div>
  );
}

function General({ request }: Props): JSX.Element {
  const words = useNetworkWords();
  const { url, method, status, error, startedAt, entry } = request;
  const href = safeHref(url);
  const initiator = asRecord(entry['_initiator']);
  const asked = asText(initiator['url']) ?? asText(initiator['type']);
  const rows: [ComponentChildren, ComponentChildren][] = [
    [words.address, href === null ? <bdi>{reveal(url)}</bdi> : <Link href={href} />],
    [words.method, <code>{reveal(method)}</code>],
  ];
  if (status !== null)
    rows.push([
      words.status,
      `${status} ${reveal(asText(asRecord(entry['response'])['statusText']) ?? '')}`.trim(),
    ]);
  if (error !== null) rows.push([words.error, <bdi>{reveal(error)}</bdi>]);
  if (startedAt !== null) rows.push([words.started, formatMoment(startedAt)]);
  if (asked !== null) rows.push([words.initiator, <bdi>{reveal(asked)}</bdi>]);
  return <KeyValues rows={rows} />;
}

interface HeadersProps {
  readonly title: string;
  readonly headers: readonly (readonly [string, string])[];
}

function Headers({ title, headers }: HeadersProps): JSX.Element | null {
  if (headers.length === 0) return null;
  return (
    <details class="c-part">
      <summary>
        {title} <span class="c-number">{headers.length}</span>
      </summary>
      <KeyValues
        rows={headers.map(([name, value]) => [<bdi>{reveal(name)}</bdi>, <bdi>{reveal(value)}</bdi>])}
      />
    </details>
  );
}

function Timing({ request }: Props): JSX.Element | null {
  const words = useNetworkWords();
  const phases = phasesIn(request.entry);
  if (phases.length === 0) return null;
  const nameOf = (phase: string): string =>
    String(Object.entries(words.phases).find(([one]) => one === phase)?.[1] ?? phase);
  return (
    <details class="c-part">
      <summary>
        {words.timing}{' '}
        {request.durationMs !== null && <span class="c-number">{formatDuration(request.durationMs)}</span>}
      </summary>
      <KeyValues rows={phases.map(([name, ms]) => [nameOf(name), formatDuration(ms)])} />
    </details>
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
