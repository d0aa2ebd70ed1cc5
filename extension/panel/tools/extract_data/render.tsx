import { isObject, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import { RecordTable } from '../../components/record-table.tsx';
import { isRun, RunFacts } from '../../components/runs/run-facts.tsx';
import { Value } from '../../components/value.tsx';
import type { FacesOf, Render } from '../face.ts';
import { Coverage } from './coverage.tsx';
import { words as texts } from './face-words.ts';

/** Records as a table, and what of them is not as the schema wants it. */
const Records: Render = ({ answer, ...place }) => {
  const { value, state } = answer;
  const openLink = place.actions.openLink;
  // A record may have any fields: only an answer of a run has no facts about records.
  const run =
    isObject(value) && state['records'] === undefined && isRun(value) ? value : isRun(state) ? state : null;
  return (
    <AnswerFrame answer={answer} {...place} showsState={state['records'] !== undefined || run !== null}>
      {run !== null && <RunFacts run={run} {...place} />}
      <Coverage state={state} language={place.language} />
      {Array.isArray(value) && (
        <RecordTable rows={value.map(recordOf)} openLink={openLink} canCopy {...place.actions.page} />
      )}
      {Array.isArray(value) && value.some(isExplained) && (
        <details class="c-part">
          <summary>{texts[place.language].provenance}</summary>
          <Value value={value} openLink={openLink} />
        </details>
      )}
      {isObject(value) && run !== value && <Value value={value} openLink={openLink} />}
      {typeof value === 'string' && value !== '' && <Value value={value} openLink={openLink} />}
    </AnswerFrame>
  );
};

/** With `explain` a record is inside of its provenance. */
const isExplained = (item: JsonValue): item is JsonObject & { readonly record: JsonObject } =>
  isObject(item) && isObject(item['record']) && Array.isArray(item['problems']);

const recordOf = (item: JsonValue): JsonValue => (isExplained(item) ? item.record : item);

export const faces: FacesOf<Render> = { extract_data: Records };
