import { faceTexts } from '../words/faces.ts';
import type { JSX } from 'preact';
import { type JsonObject, isObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatDuration, formatMoment, formatNumber, formatSize, formatTime } from '../../../words/format.ts';
import type { Language } from '../../../words/languages.ts';
import { Badge } from '../../components/marks.tsx';
import { AnswerFrame } from '../../components/general-render.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { asNumber, asRecord, asRecords, asText, asTime } from '../../components/read-json.ts';
import { Value } from '../../components/value.tsx';
import type { Render } from '../face.ts';

/** What is shown of a line that names no event. */
const UNKNOWN_UNITS = 200;

/** The lines of the journal, newest first, or what they come to. */
export const Journal: Render = ({ answer, language, actions }) => {
  const { value } = answer;
  return (
    <AnswerFrame answer={answer} language={language} actions={actions}>
      {Array.isArray(value) && <Lines lines={asRecords(value).toReversed()} language={language} />}
      {isObject(value) && <Summary value={value} language={language} />}
      {typeof value === 'string' && value !== '' && <Value value={value} />}
    </AnswerFrame>
  );
};

interface LinesProps {
  readonly lines: readonly JsonObject[];
  readonly language: Language;
}

function Lines({ lines, language }: LinesProps): JSX.Element {
  const words = faceTexts[language].oc_journal;
  if (lines.length === 0) return <p class="c-empty">{words.none}</p>;
  return (
    <ul class="c-lines" aria-label={words.lines}>
      {lines.map((line, at) => (
        <Line key={at} line={line} language={language} />
      ))}
    </ul>
  );
}

function Line({ line, language }: { readonly line: JsonObject; readonly language: Language }): JSX.Element {
  const { ts, event, ...facts } = line;
  const at = asTime(ts);
  const [tool, code, ms] = [asText(line['tool']), asText(line['code']), asNumber(line['duration_ms'])];
  return (
    <li class="c-log">
      <span class="c-number" title={at === null ? undefined : formatMoment(at)}>
        {at === null ? '' : formatTime(at)}
      </span>
      <details>
        <summary>
          <b>{reveal(tool ?? asText(event) ?? JSON.stringify(line).slice(0, UNKNOWN_UNITS))}</b>
          {tool !== null && event !== 'tool_call' && (
            <span class="c-quiet">{reveal(asText(event) ?? '')}</span>
          )}
          {line['ok'] === true && <Badge tone="good">{faceTexts[language].oc_journal.ok}</Badge>}
          {code !== null && <Badge tone="bad">{reveal(code)}</Badge>}
          {ms !== null && <span class="c-number c-end">{formatDuration(ms)}</span>}
        </summary>
        <Value value={facts} />
      </details>
    </li>
  );
}

interface SummaryProps {
  readonly value: JsonObject;
  readonly language: Language;
}

function Summary({ value, language }: SummaryProps): JSX.Element {
  const words = faceTexts[language].oc_journal;
  const [entries, oldest, newest] = [
    asNumber(value['entries']),
    asTime(value['oldest']),
    asTime(value['newest']),
  ];
  const events = Object.entries(asRecord(value['events']));
  return (
    <>
      <p class="c-line">
        {entries !== null && <b>{words.entries(entries, formatNumber(entries))}</b>}
        {oldest !== null && newest !== null && (
          <span class="c-quiet">{words.between(formatMoment(oldest), formatMoment(newest))}</span>
        )}
      </p>
      <Tools tools={asRecord(value['tools'])} language={language} />
      {events.length > 0 && (
        <section class="f-part">
          <h3>{words.events}</h3>
          <KeyValues
            rows={events.map(([name, count]) => [
              <code>{reveal(name)}</code>,
              formatNumber(asNumber(count) ?? 0),
            ])}
          />
        </section>
      )}
    </>
  );
}

function Tools({
  tools,
  language,
}: {
  readonly tools: JsonObject;
  readonly language: Language;
}): JSX.Element | null {
  const words = faceTexts[language].oc_journal;
  const names = Object.keys(tools);
  if (names.length === 0) return null;
  const ms = (value: number | null): string => (value === null ? '' : formatDuration(value));
  return (
    <div class="c-scroll" tabIndex={0} role="group" aria-label={words.tools}>
      <table class="c-figures">
        <thead>
          <tr>
            <th scope="col">{words.tool}</th>
            <th scope="col">{words.calls}</th>
            <th scope="col">{words.errors}</th>
            <th scope="col">{words.bytes}</th>
            <th scope="col">{words.median}</th>
            <th scope="col">{words.slow}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => {
            const facts = asRecord(tools[name]);
            const errors = Object.entries(asRecord(facts['errors']));
            const count = errors.reduce((sum, [, times]) => sum + (asNumber(times) ?? 0), 0);
            return (
              <tr key={name}>
                <th scope="row">{reveal(name)}</th>
                <td>{formatNumber(asNumber(facts['calls']) ?? 0)}</td>
                <td title={errors.map(([code]) => reveal(code)).join(', ')}>
                  {count === 0 ? '' : formatNumber(count)}
                </td>
                <td>{formatSize(asNumber(facts['bytes']) ?? 0)}</td>
                <td>{ms(asNumber(facts['median_ms']))}</td>
                <td>{ms(asNumber(facts['p95_ms']))}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
