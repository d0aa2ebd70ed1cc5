import { type JsonObject, type JsonValue, isJsonList, isObject } from '../../../shared/base/json.ts';
import { formatNumber } from '../../ui/words/format.ts';
import { asRecord, asRecords, figure, listOf, numberIn, textIn, wordFor } from '../../ui/read-json.ts';
import { isRun } from '../../ui/run-facts.tsx';
import { ofState, type Block, type Blocks, type Given, type Line, type Mark } from '../../ui/faces/face.ts';
import { renderOfView } from '../../ui/faces/blocks.tsx';

type Words = Given['words']['extract_data'];

/** The number of records, where they were found, and which do not fit. */
function coverage(state: JsonObject, words: Words): Blocks {
  const records = numberIn(state, 'records');
  if (records === null) return [];
  const hidden = numberIn(state, 'hidden_records') ?? 0;
  const problems = Object.entries(asRecord(state['problems'])).filter(([, problem]) => isObject(problem));
  const marks = Object.keys(asRecord(state['strategies'])).map((name): Mark => [
    'plain',
    wordFor(words.sources, name),
  ]);
  return [
    {
      line: {
        title: words.records({ count: records }),
        quiet: [figure(state, 'pages', (count) => words.pages({ count }))],
        marks,
      },
    },
    hidden > 0 && { note: `${words.hidden}: ${formatNumber(hidden)}` },
    listOf(words.problems, problems, ([field, problem]) => problemLine(field, problem, words)),
    tried(state, words),
  ];
}

function problemLine(field: string, problem: JsonValue | undefined, words: Words): Line {
  const [missing, invalid] = [numberIn(problem, 'missing') ?? 0, numberIn(problem, 'invalid') ?? 0];
  const { first_invalid: firstInvalid, first_missing: firstMissing } = asRecord(problem);
  const first = firstInvalid ?? firstMissing;
  const [number, reason] = [numberIn(first, 'record'), textIn(first, 'reason')];
  return {
    code: field,
    marks: [
      missing > 0 && ['wait', `${words.missing} ${formatNumber(missing)}`],
      invalid > 0 && ['bad', `${words.invalid} ${formatNumber(invalid)}`],
    ],
    text:
      number === null || reason === null ? null : words.inRecord({ number: formatNumber(number), reason }),
  };
}

function tried(state: JsonObject, words: Words): Block | false {
  const found = asRecords(state['tried']).filter((one) => (numberIn(one, 'records') ?? 0) > 0);
  const items = found.map((one): Line => {
    const [share, records] = [numberIn(one, 'coverage') ?? 0, numberIn(one, 'records') ?? 0];
    const label = words.share({ percent: `${Math.round(share * 100)} %` });
    return {
      quiet: [wordFor(words.sources, textIn(one, 'strategy') ?? ''), words.records({ count: records })],
      blocks: [{ own: <meter min={0} max={1} value={share} aria-label={label} /> }],
    };
  });
  return items.length > 0 && { fold: words.tried, blocks: [{ items }] };
}

/** With `explain` a record is inside its provenance. */
const isExplained = (item: JsonValue): item is JsonObject & { readonly record: JsonObject } =>
  isObject(item) && isObject(item['record']) && Array.isArray(item['problems']);

/** Records as a table, and their deviations from the schema. */
export const Records = renderOfView(
  ofState(({ answer, value, state, words: { extract_data: words } }) => {
    const isCounted = state['records'] !== undefined;
    // A record may have any fields: only a run's answer has no facts about records.
    const run = [value, state].filter(isObject).find((one) => isRun(one) && (one === state || !isCounted));
    return [
      run !== undefined && { run },
      ...coverage(state, words),
      isJsonList(value) && { records: value.map((item) => (isExplained(item) ? item.record : item)) },
      Array.isArray(value) && value.some(isExplained) && { fold: words.provenance, blocks: [{ value }] },
      value !== undefined && !Array.isArray(value) && run !== value && value !== '' && { value },
      !answer.ok && !isCounted && run === undefined && Object.keys(state).length > 0 && { value: state },
    ];
  }),
);
