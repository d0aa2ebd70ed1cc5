import { type JsonObject, type JsonValue, isObject } from '../../../shared/base/json.ts';
import { formatNumber, formatSize } from '../../ui/words/format.ts';
import { asRecords, code, figures, numberIn, textIn, wordFor } from '../../ui/read-json.ts';
import { ItemsFooter } from '../../ui/record-table.tsx';
import { RequestTable, requestsIn } from '../../ui/requests.tsx';
import type { Block, Blocks, Fact, Given, Line, View } from '../../ui/faces/face.ts';
import { renderOfView } from '../../ui/faces/blocks.tsx';

/** A figure, if there is anything to count. */
const countFact = (of: JsonValue, name: string, label: string): Fact => {
  const count = numberIn(of, name) ?? 0;
  return [label, count > 0 ? formatNumber(count) : null];
};

function captureLine(capture: JsonObject, { network: words, tab }: Given['words']): Line {
  const [state, bodies] = [textIn(capture, 'state') ?? '', textIn(capture, 'bodies')];
  return {
    marks: [[state === 'capturing' ? 'busy' : 'off', wordFor(words.state, state)]],
    quiet: [`${tab} ${textIn(capture, 'tab') ?? ''}`],
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
function captureBlocks(value: JsonObject, all: Given['words']): Blocks {
  const { network: words, room, used } = all;
  const isList = Array.isArray(value['captures']);
  const captures = isList ? asRecords(value['captures']) : textIn(value, 'state') === null ? [] : [value];
  const entries = numberIn(value, 'entries');
  const ring: Block = {
    facts: [
      [words.entries, formatNumber(entries ?? 0)],
      [
        room,
        figures(value, ['size_bytes', 'max_bytes'], formatSize, (size, most) => used({ used: size, most })),
      ],
      countFact(value, 'dropped_entries', words.dropped),
      countFact(value, 'dropped_bodies', words.droppedBodies),
    ],
  };
  return [
    isList && captures.length === 0 && { note: words.noCaptures },
    captures.length > 0 && { items: captures.map((capture) => captureLine(capture, all)) },
    { facts: [[words.cleared, { code: textIn(value, 'cleared') }]] },
    entries !== null && ring,
  ];
}

/** A slice as a table, a curl command as text, a capture as its state. */
const viewOf =
  (isPortal: boolean): View =>
  ({ value, actions: { page }, words }) => {
    const requests = requestsIn(value);
    if (requests === null) return isObject(value) ? captureBlocks(value, words) : [code(value)];
    const footer = page !== null && (
      <ItemsFooter rows={requests.map(({ entry }) => entry)} canCopy {...page} />
    );
    return [{ own: <RequestTable requests={requests} hasFilter={isPortal} /> }, { own: footer }];
  };

export const Network = renderOfView(viewOf(false));
/** All requests, with a filter. */
export const NetworkPortal = renderOfView(viewOf(true));
