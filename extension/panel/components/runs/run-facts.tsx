import type { ComponentChildren, JSX } from 'preact';
import { reveal } from '../../../../shared/policy/reveal.ts';
import type { JsonObject, JsonValue } from '../../../../shared/json.ts';
import { formatDuration, formatMoment, formatNumber } from '../../../words/format.ts';
import type { Language } from '../../../words/languages.ts';
import type { FaceActions } from '../../tools/face.ts';
import { Badge, type Tone } from '../badge.tsx';
import { KeyValues } from '../key-values.tsx';
import { asNumber, asRecord, asText, asTime } from '../read-json.ts';
import { runWords } from './words.ts';

const TONES: Readonly<Record<string, Tone>> = {
  queued: 'wait',
  running: 'busy',
  completed: 'good',
  failed: 'bad',
  cancelled: 'off',
  interrupted: 'wait',
};

/** Whether an answer says how a run is, and not what it found. */
export const isRun = (value: JsonObject): boolean => asText(value['run_id']) !== null;

interface Props {
  /** A run as `run_status` answers it, or a part of that. */
  readonly run: JsonObject;
  readonly language: Language;
  readonly actions: FaceActions;
}

/** How far a run is, how fast, and how it ended. */
export function RunFacts({ run, language, actions }: Props): JSX.Element {
  const words = runWords[language];
  const [id, output] = [asText(run['run_id']), asText(run['output_handle'])];
  const { openRun, openOutput } = actions;
  return (
    <section class="f-part">
      <p class="c-line">
        <RunStatus status={run['status']} language={language} />
        {id !== null && <code class="c-quiet">{reveal(id)}</code>}
      </p>
      <RunProgress progress={run['progress']} status={run['status']} language={language} />
      <KeyValues rows={rowsOf(run, language)} />
      {run['status'] !== 'cancelled' && <RunError error={run['error']} />}
      {((id !== null && openRun !== null) || (output !== null && openOutput !== null)) && (
        <p class="c-actions">
          {id !== null && openRun !== null && (
            <button type="button" class="c-button" onClick={() => openRun(id)}>
              {words.openRun}
            </button>
          )}
          {output !== null && openOutput !== null && (
            <button type="button" class="c-button" onClick={() => openOutput(output)}>
              {words.openOutput}
            </button>
          )}
        </p>
      )}
    </section>
  );
}

/** Where a run is, in a word. */
export function RunStatus({
  status,
  language,
}: {
  readonly status: JsonValue | undefined;
  readonly language: Language;
}): JSX.Element | null {
  const name = asText(status);
  if (name === null) return null;
  const word = Object.entries(runWords[language].status).find(([one]) => one === name)?.[1];
  return <Badge tone={TONES[name] ?? 'plain'}>{word ?? reveal(name)}</Badge>;
}

interface ProgressProps {
  readonly progress: JsonValue | undefined;
  readonly status: JsonValue | undefined;
  readonly language: Language;
}

/** A run finds its work as it goes: what it knows of is its total. */
export function RunProgress({ progress, status, language }: ProgressProps): JSX.Element | null {
  const words = runWords[language];
  const { done, queued } = asRecord(progress);
  const [made, left] = [asNumber(done), asNumber(queued) ?? 0];
  if (made === null || (status !== 'running' && left === 0)) return null;
  const all = made + left;
  return (
    <div class="c-progress">
      <progress max={Math.max(1, all)} value={made} aria-label={words.progress} />
      <span>{words.done(formatNumber(made), formatNumber(all))}</span>
    </div>
  );
}

export function RunError({ error }: { readonly error: JsonValue | undefined }): JSX.Element | null {
  const { code, message } = asRecord(error);
  if (asText(code) === null) return null;
  return (
    <p class="f-error">
      <code>{reveal(asText(code) ?? '')}</code> <bdi>{reveal(asText(message) ?? '')}</bdi>
    </p>
  );
}

type Rows = (readonly [ComponentChildren, ComponentChildren])[];

function rowsOf(run: JsonObject, language: Language): Rows {
  const words = runWords[language];
  const progress = asRecord(run['progress']);
  const [started, ended] = [asTime(run['started_at']), asTime(run['ended_at'])];
  const [items, failed, rate] = [
    asNumber(run['items']),
    asNumber(progress['failed']),
    asNumber(progress['rate_per_second']),
  ];
  const rows: Rows = [];
  const tool = asText(run['tool']);
  if (tool !== null) rows.push([words.tool, <code>{reveal(tool)}</code>]);
  if (items !== null) rows.push([words.items, formatNumber(items)]);
  if (failed !== null && failed > 0) rows.push([words.failures, formatNumber(failed)]);
  if (rate !== null && rate > 0) rows.push([words.rate, words.perSecond(formatNumber(rate))]);
  if (started !== null) rows.push([words.started, formatMoment(started)]);
  if (started !== null && ended !== null) rows.push([words.took, formatDuration(ended - started)]);
  return rows;
}
