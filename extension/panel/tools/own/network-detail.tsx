import { formatDuration, formatMoment } from '../../../words/format.ts';
import type { JSX } from 'preact';
import { asRecord, asText, textIn } from '../../components/read-json.ts';
import type { Block } from '../block.ts';
import { BlockList } from '../blocks.tsx';
import { wordFor } from '../views/values.ts';
import { type ShownRequest, headersIn, phasesIn, useNetworkWords } from './network-requests.ts';

/** All that was captured of one request. */
export function RequestDetail({ request }: { readonly request: ShownRequest }): JSX.Element {
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
