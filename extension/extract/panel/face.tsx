import { type JsonObject, type JsonValue, isJsonList, isObject } from '../../../shared/base/json.ts';
import { formatNumber } from '../../ui/words/format.ts';
import { figure, listOf, wordFor } from '../../ui/shown.ts';
import { runIn } from '../../ui/run-facts.tsx';
import type { Block, Blocks, Given, Line, Mark } from '../../ui/faces/face.ts';
import { face } from '../../ui/faces/blocks.tsx';

type Words = Given['words']['extract_data'];
type State = Given<'extract_data'>['state'];

/** The number of records, where they were found, and which do not fit. */
function coverage(state: State, words: Words): Blocks {
  const { records, hidden_records: hidden = 0, strategies = {}, problems = {} } = state;
  if (records === undefined) return [];
  const marks = Object.keys(strategies).map((name): Mark => ['plain', wordFor(words.sources, name)]);
  return [
    {
      line: {
        title: words.records({ count: records }),
        quiet: [figure(state.pages, (count) => words.pages({ count }))],
        marks,
      },
    },
    hidden > 0 && { note: `${words.hidden}: ${formatNumber(hidden)}` },
    listOf(words.problems, Object.entries(problems), ([field, problem]) =>
      problemLine(field, problem, words),
    ),
    tried(state, words),
  ];
}

function problemLine(
  field: string,
  { missing, invalid, first_invalid: first }: NonNullable<State['problems']>[string],
  words: Words,
): Line {
  return {
    code: field,
    marks: [
      missing > 0 && ['wait', `${words.missing} ${formatNumber(missing)}`],
      invalid > 0 && ['bad', `${words.invalid} ${formatNumber(invalid)}`],
    ],
    text: first && words.inRecord({ number: formatNumber(first.record), reason: first.reason }),
  };
}

function tried(state: State, words: Words): Block | false {
  const found = (state.tried ?? []).filter(({ records }) => records > 0);
  const items = found.map(({ strategy, records, coverage: share }): Line => {
    const label = words.share({ percent: `${Math.round(share * 100)} %` });
    return {
      quiet: [wordFor(words.sources, strategy), words.records({ count: records })],
      blocks: [{ own: <meter min={0} max={1} value={share} aria-label={label} /> }],
    };
  });
  return items.length > 0 && { fold: words.tried, blocks: [{ items }] };
}

/** With `explain` a record is inside its provenance. */
const isExplained = (item: JsonValue): item is JsonObject & { readonly record: JsonObject } =>
  isObject(item) && isObject(item['record']) && Array.isArray(item['problems']);

/** Records as a table, and their deviations from the schema. */
export const Records = face('extract_data', ({ answer, state, words: { extract_data: words } }) => {
  const { value } = answer;
  const isCounted = state.records !== undefined;
  // A record may have any fields: only a run's answer has no facts about records.
  const started = isCounted ? null : runIn(value);
  const run = started ?? runIn(answer.state);
  return [
    run !== null && { run },
    ...coverage(state, words),
    isJsonList(value) && { records: value.map((item) => (isExplained(item) ? item.record : item)) },
    isJsonList(value) && value.some(isExplained) && { fold: words.provenance, blocks: [{ value }] },
    value !== undefined && !isJsonList(value) && started === null && value !== '' && { value },
    !answer.ok && !isCounted && run === null && isFilled(answer.state) && { value: answer.state },
  ];
});

const isFilled = (state: JsonObject): boolean => Object.keys(state).length > 0;
