import type { JSX } from 'preact';
import { type JsonObject, isObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatMoment, formatNumber, formatTime } from '../../../words/format.ts';
import { AnswerFrame } from '../../components/general-render.tsx';
import { asList, asNumber, asRecords, asText, asTime } from '../../components/read-json.ts';
import { RecordTable } from '../../components/record-table.tsx';
import { RunFacts, RunStatus, RunProgress } from '../../components/run-facts.tsx';
import { runWords } from '../../components/answer-words.ts';
import { Value } from '../../components/value.tsx';
import type { FaceActions, Render } from '../face.ts';
import type { Language } from '../../../words/languages.ts';

interface Place {
  readonly language: Language;
  readonly actions: FaceActions;
}

/** One run: of a call that failed, what was known of it. */
export const RunOf: Render = ({ answer, ...place }) => {
  const run = isObject(answer.value) ? answer.value : answer.state;
  return (
    <AnswerFrame answer={answer} {...place} showsState>
      {asText(run['run_id']) !== null && <RunFacts run={run} {...place} />}
    </AnswerFrame>
  );
};

/** A page of a run's items. */
export const RunItems: Render = ({ answer, ...place }) => (
  <AnswerFrame answer={answer} {...place}>
    {isObject(answer.value) && <Page page={answer.value} {...place} />}
  </AnswerFrame>
);

function Page({ page, language, actions }: Place & { readonly page: JsonObject }): JSX.Element {
  const words = runWords[language];
  const items = asList(page['content']);
  const isOpen = page['eof'] === false && asNumber(page['next_offset']) === asNumber(page['total']);
  return (
    <>
      {asText(page['run_id']) !== null && (
        <RunFacts
          run={{ run_id: page['run_id'], status: page['status'], output_handle: page['output_handle'] }}
          language={language}
          actions={actions}
        />
      )}
      {items.length === 0 && isOpen ? (
        <p class="c-empty">{words.noItems}</p>
      ) : (
        <RecordTable
          rows={items}
          offset={asNumber(page['offset']) ?? 0}
          total={asNumber(page['total']) ?? items.length}
          openLink={actions.openLink}
          canCopy
          {...actions.page}
        />
      )}
      {isOpen && <p class="c-hint">{words.moreToCome}</p>}
    </>
  );
}

/** The newest runs. */
export const RunList: Render = ({ answer, language, actions }) => {
  const words = runWords[language];
  const value = isObject(answer.value) ? answer.value : null;
  const runs = asRecords(value?.['runs']);
  const total = asNumber(value?.['total']) ?? runs.length;
  return (
    <AnswerFrame answer={answer} language={language} actions={actions}>
      {value !== null && runs.length === 0 && <p class="c-empty">{words.noRuns}</p>}
      {runs.length > 0 && (
        <>
          <ul class="c-lines" aria-label={words.list}>
            {runs.map((run, at) => (
              <RunLine key={at} run={run} language={language} actions={actions} />
            ))}
          </ul>
          <p class="c-hint">{words.total(total, formatNumber(total))}</p>
        </>
      )}
    </AnswerFrame>
  );
};

function RunLine({ run, language, actions: { openRun } }: Place & { readonly run: JsonObject }): JSX.Element {
  const words = runWords[language];
  const id = asText(run['run_id']) ?? '';
  const [items, started] = [asNumber(run['items']), asTime(run['started_at'])];
  return (
    <li class="c-run">
      <p class="c-line">
        <RunStatus status={run['status']} language={language} />
        <b>{reveal(asText(run['tool']) ?? words.run)}</b>
        <code class="c-quiet">{reveal(id)}</code>
        {openRun !== null && (
          <button
            type="button"
            class="c-button c-end"
            aria-label={`${words.openRun} ${id}`}
            onClick={() => openRun(id)}
          >
            {words.openRun}
          </button>
        )}
      </p>
      <p class="c-quiet c-line">
        {items !== null && (
          <span>
            {words.items}: {formatNumber(items)}
          </span>
        )}
        {started !== null && <span>{formatMoment(started)}</span>}
      </p>
      <RunProgress progress={run['progress']} language={language} />
    </li>
  );
}

/** What a run did, line by line. */
export const RunLog: Render = ({ answer, language, actions }) => {
  const words = runWords[language];
  const value = isObject(answer.value) ? answer.value : null;
  const lines = asRecords(value?.['lines']);
  return (
    <AnswerFrame answer={answer} language={language} actions={actions}>
      {value !== null && (
        <p class="c-line">
          <RunStatus status={value['status']} language={language} />
          <code class="c-quiet">{reveal(asText(value['run_id']) ?? '')}</code>
        </p>
      )}
      {value !== null && lines.length === 0 && <p class="c-empty">{words.noLines}</p>}
      {lines.length > 0 && (
        <ol class="c-lines" aria-label={words.log}>
          {lines.map(({ ts, event, ...facts }, at) => (
            <li key={at} class="c-log">
              <span class="c-number">{formatTime(asTime(ts) ?? 0)}</span>
              <details>
                <summary>{reveal(asText(event) ?? '')}</summary>
                <Value value={facts} openLink={actions.openLink} />
              </details>
            </li>
          ))}
        </ol>
      )}
    </AnswerFrame>
  );
};

export const RUN_RENDERS = {
  run_status: RunOf,
  run_cancel: RunOf,
  run_resume: RunOf,
  run_output: RunItems,
  run_list: RunList,
  run_log: RunLog,
};
