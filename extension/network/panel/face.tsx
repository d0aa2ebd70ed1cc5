import { formatNumber, formatSize } from '../../ui/words/format.ts';
import { code, figures, wordFor } from '../../ui/shown.ts';
import { ItemsFooter } from '../../ui/record-table.tsx';
import { RequestTable } from '../../ui/requests.tsx';
import type { Block, Blocks, Fact, Given, Line, View } from '../../ui/faces/face.ts';
import { face } from '../../ui/faces/blocks.tsx';

type Value = Given<'network'>['value'];

/** A figure, if there is anything to count. */
const countFact = (count = 0, label: string): Fact => [label, count > 0 ? formatNumber(count) : null];

function captureLine(
  { state, bodies, tab: where, ended, gaps }: Value,
  { network: words, tab }: Given['words'],
): Line {
  return {
    marks: state === undefined ? [] : [[state === 'capturing' ? 'busy' : 'off', wordFor(words.state, state)]],
    quiet: [`${tab} ${where ?? ''}`],
    blocks: [
      {
        facts: [
          [words.bodies, bodies && wordFor(words.kept, bodies)],
          [words.ended, ended],
          countFact(gaps, words.gaps),
        ],
      },
    ],
  };
}

/** Memory is bounded: dropped items are listed. */
function captureBlocks(value: Value, all: Given['words']): Blocks {
  const { network: words, room, used } = all;
  const { captures = value.state === undefined ? [] : [value], entries } = value;
  const ring: Block = {
    facts: [
      [words.entries, formatNumber(entries ?? 0)],
      [
        room,
        figures([value.size_bytes, value.max_bytes], formatSize, (size, most) => used({ used: size, most })),
      ],
      countFact(value.dropped_entries, words.dropped),
      countFact(value.dropped_bodies, words.droppedBodies),
    ],
  };
  return [
    value.captures?.length === 0 && { note: words.noCaptures },
    captures.length > 0 && { items: captures.map((capture) => captureLine(capture, all)) },
    { facts: [[words.cleared, { code: value.cleared }]] },
    entries !== undefined && ring,
  ];
}

/** A slice as a table, a curl command as text, a capture as its state. */
const viewOf =
  (isPortal: boolean): View<'network'> =>
  ({ value, text, actions: { page }, words }) => {
    const entries = value.log?.entries ?? value.items;
    if (entries === undefined) return text === '' ? captureBlocks(value, words) : [code(text)];
    const footer = page !== null && <ItemsFooter rows={entries} canCopy {...page} />;
    return [{ own: <RequestTable entries={entries} hasFilter={isPortal} /> }, { own: footer }];
  };

export const Network = face('network', viewOf(false));
/** All requests, with a filter. */
export const NetworkPortal = face('network', viewOf(true));
