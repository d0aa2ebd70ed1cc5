import { faceTexts } from '../words/faces.ts';
import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { type JsonObject, type JsonValue, isObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatNumber } from '../../../words/format.ts';
import { useActions } from '../../components/actions.ts';
import { WordsContext } from '../../components/words.ts';
import { Badge } from '../../components/marks.tsx';
import { asNumber, asRecord, asRecords, asText } from '../../components/read-json.ts';
import { AnswerFrame } from '../../components/general-render.tsx';
import { RecordTable } from '../../components/record-table.tsx';
import { RunFacts, isRun } from '../../components/run-facts.tsx';
import { Value } from '../../components/value.tsx';
import type { FaceWords } from '../words/faces-en.ts';
import type { Render } from '../face.ts';

const useRecordWords = (): FaceWords['extract_data'] => faceTexts[useContext(WordsContext)].extract_data;

interface Props {
  readonly state: JsonObject;
}

/** How many records there are, where they were found, and what of them does not fit. */
export function Coverage({ state }: Props): JSX.Element | null {
  const words = useRecordWords();
  const [records, pages, hidden] = [
    asNumber(state['records']),
    asNumber(state['pages']),
    asNumber(state['hidden_records']),
  ];
  if (records === null) return null;
  return (
    <section class="f-part">
      <p class="c-line">
        <b>{words.records(records, formatNumber(records))}</b>
        {pages !== null && <span>{words.pages(pages, formatNumber(pages))}</span>}
        {Object.keys(asRecord(state['strategies'])).map((name) => (
          <Badge key={name}>{sourceName(name, words)}</Badge>
        ))}
      </p>
      {hidden !== null && hidden > 0 && (
        <p class="c-quiet">
          {words.hidden}: {formatNumber(hidden)}
        </p>
      )}
      <Problems state={state} />
      <Tried state={state} />
    </section>
  );
}

function Problems({ state }: Props): JSX.Element | null {
  const words = useRecordWords();
  const problems = Object.entries(asRecord(state['problems'])).filter(([, problem]) => isObject(problem));
  if (problems.length === 0) return null;
  return (
    <>
      <h3>{words.problems}</h3>
      <ul class="c-problems">
        {problems.map(([field, given]) => {
          const problem = asRecord(given);
          const [missing, invalid] = [asNumber(problem['missing']) ?? 0, asNumber(problem['invalid']) ?? 0];
          const first = asRecord(problem['first_invalid'] ?? problem['first_missing']);
          const [number, reason] = [asNumber(first['record']), asText(first['reason'])];
          return (
            <li key={field}>
              <p class="c-line">
                <bdi>
                  <code>{reveal(field)}</code>
                </bdi>
                {missing > 0 && (
                  <Badge tone="wait">
                    {words.missing} {formatNumber(missing)}
                  </Badge>
                )}
                {invalid > 0 && (
                  <Badge tone="bad">
                    {words.invalid} {formatNumber(invalid)}
                  </Badge>
                )}
              </p>
              {number !== null && reason !== null && (
                <p class="c-quiet">
                  <bdi>{words.inRecord(formatNumber(number), reveal(reason))}</bdi>
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Tried({ state }: Props): JSX.Element | null {
  const words = useRecordWords();
  const tried = asRecords(state['tried']).filter(({ records }) => (asNumber(records) ?? 0) > 0);
  if (tried.length === 0) return null;
  return (
    <details class="c-part">
      <summary>{words.tried}</summary>
      <ul class="c-problems">
        {tried.map(({ strategy, records, coverage }, at) => {
          const share = asNumber(coverage) ?? 0;
          const label = words.share(`${Math.round(share * 100)} %`);
          return (
            <li key={at} class="c-tried">
              <span>{sourceName(asText(strategy) ?? '', words)}</span>
              <meter min={0} max={1} value={share} aria-label={label} />
              <span class="c-quiet">
                {words.records(asNumber(records) ?? 0, formatNumber(asNumber(records) ?? 0))}
              </span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

const sourceName = (name: string, { sources }: FaceWords['extract_data']): string =>
  Object.entries(sources).find(([one]) => one === name)?.[1] ?? reveal(name);

/** Records as a table, and what of them is not as the schema wants it. */
export const Records: Render = ({ answer }) => {
  const words = useRecordWords();
  const { page } = useActions();
  const { value, state } = answer;
  // A record may have any fields: only an answer of a run has no facts about records.
  const run =
    isObject(value) && state['records'] === undefined && isRun(value) ? value : isRun(state) ? state : null;
  return (
    <AnswerFrame answer={answer} showsState={state['records'] !== undefined || run !== null}>
      {run !== null && <RunFacts run={run} />}
      <Coverage state={state} />
      {Array.isArray(value) && <RecordTable rows={value.map(recordOf)} canCopy {...page} />}
      {Array.isArray(value) && value.some(isExplained) && (
        <details class="c-part">
          <summary>{words.provenance}</summary>
          <Value value={value} />
        </details>
      )}
      {isObject(value) && run !== value && <Value value={value} />}
      {typeof value === 'string' && value !== '' && <Value value={value} />}
    </AnswerFrame>
  );
};

/** With `explain` a record is inside of its provenance. */
const isExplained = (item: JsonValue): item is JsonObject & { readonly record: JsonObject } =>
  isObject(item) && isObject(item['record']) && Array.isArray(item['problems']);

const recordOf = (item: JsonValue): JsonValue => (isExplained(item) ? item.record : item);
