import { useNetworkWords } from './network-requests.ts';
import type { ComponentChildren, JSX } from 'preact';
import { type JsonObject, type JsonValue, isObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatNumber, formatSize } from '../../../words/format.ts';
import { useActions } from '../../components/actions.ts';
import { Badge } from '../../components/marks.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { asNumber, asRecords, asText } from '../../components/read-json.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { AnswerFrame } from '../../components/general-render.tsx';
import { ItemsFooter } from '../../components/record-table.tsx';
import type { Portal, Render } from '../face.ts';
import { RequestTable } from './network-table.tsx';
import { requestsIn } from './network-requests.ts';

interface Props {
  readonly value: JsonObject;
}

type Rows = [ComponentChildren, ComponentChildren][];

/** What is being recorded, and how much room it takes. */
export function CaptureFacts({ value }: Props): JSX.Element {
  const words = useNetworkWords();
  const captures = Array.isArray(value['captures'])
    ? asRecords(value['captures'])
    : asText(value['state']) === null
      ? []
      : [value];
  const cleared = asText(value['cleared']);
  return (
    <section class="f-part">
      {Array.isArray(value['captures']) && captures.length === 0 && <p class="c-empty">{words.noCaptures}</p>}
      {captures.map((capture, at) => (
        <Capture key={at} value={capture} />
      ))}
      {cleared !== null && <KeyValues rows={[[words.cleared, <code>{reveal(cleared)}</code>]]} />}
      <Ring value={value} />
    </section>
  );
}

const wordOf = (all: object, value: JsonValue | undefined): string | null => {
  const name = asText(value);
  const found: unknown = Object.entries(all).find(([one]) => one === name)?.[1];
  return typeof found === 'string' ? found : name;
};

function Capture({ value }: Props): JSX.Element {
  const words = useNetworkWords();
  const rows: Rows = [];
  const bodies = wordOf(words.kept, value['bodies']);
  const [ended, gaps] = [asText(value['ended']), asNumber(value['gaps'])];
  if (bodies !== null) rows.push([words.bodies, reveal(bodies)]);
  if (ended !== null) rows.push([words.ended, <bdi>{reveal(ended)}</bdi>]);
  if (gaps !== null && gaps > 0) rows.push([words.gaps, formatNumber(gaps)]);
  return (
    <div class="c-capture">
      <p class="c-line">
        <Badge tone={value['state'] === 'capturing' ? 'busy' : 'off'}>
          {reveal(wordOf(words.state, value['state']) ?? '')}
        </Badge>
        <span>
          {words.tab} <code>{reveal(asText(value['tab']) ?? '')}</code>
        </span>
      </p>
      <KeyValues rows={rows} />
    </div>
  );
}

/** Bounded memory: what was dropped is said, since it is missing. */
function Ring({ value }: Props): JSX.Element | null {
  const words = useNetworkWords();
  const [entries, size, most] = [
    asNumber(value['entries']),
    asNumber(value['size_bytes']),
    asNumber(value['max_bytes']),
  ];
  if (entries === null) return null;
  const rows: Rows = [[words.entries, formatNumber(entries)]];
  if (size !== null && most !== null)
    rows.push([words.room, words.roomOf(formatSize(size), formatSize(most))]);
  for (const [label, name] of [
    [words.dropped, 'dropped_entries'],
    [words.droppedBodies, 'dropped_bodies'],
  ] as const) {
    const count = asNumber(value[name]);
    if (count !== null && count > 0) rows.push([label, formatNumber(count)]);
  }
  return <KeyValues rows={rows} />;
}

/** A slice as a table, a command of curl as text, and of a capture how it is. */
export const Network: Render = ({ answer }) => {
  const { value } = answer;
  const { page } = useActions();
  const requests = requestsIn(value);
  return (
    <AnswerFrame answer={answer}>
      {requests !== null && <RequestTable requests={requests} />}
      {requests !== null && page !== null && (
        <ItemsFooter rows={requests.map(({ entry }) => entry)} canCopy {...page} />
      )}
      {requests === null && isObject(value) && <CaptureFacts value={value} />}
      {typeof value === 'string' && value !== '' && <CodeBlock text={value} />}
    </AnswerFrame>
  );
};

/** All requests, to be filtered. */
export const NetworkPortal: Portal = (props) => {
  const { answer } = props;
  const requests = requestsIn(answer.value);
  if (requests === null) return <Network {...props} />;
  return (
    <AnswerFrame answer={answer}>
      <RequestTable requests={requests} hasFilter />
    </AnswerFrame>
  );
};
