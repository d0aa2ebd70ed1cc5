import type { ComponentChildren, JSX } from 'preact';
import { reveal } from '../../../../shared/policy/reveal.ts';
import type { JsonObject, JsonValue } from '../../../../shared/json.ts';
import { formatMoment } from '../../../words/format.ts';
import type { Language } from '../../../words/languages.ts';
import type { FaceActions, FaceCall } from '../../tools/face.ts';
import { Badge, type Tone } from '../badge.tsx';
import { KeyValues } from '../key-values.tsx';
import { asRecord, asText, asTime } from '../read-json.ts';
import { RunNumbers, RunProgress } from './run-progress.tsx';
import { runWords } from './words.ts';

const TONES: Readonly<Record<string, Tone>> = {
  queued: 'wait',
  running: 'busy',
  completed: 'good',
  failed: 'bad',
  cancelled: 'off',
  interrupted: 'wait',
};

/** How a run is, as a colour. */
export const toneOfRun = (status: string): Tone => TONES[status] ?? 'plain';

/** Whether an answer says how a run is, and not what it found. */
export const isRun = (value: JsonObject): boolean => asText(value['run_id']) !== null;

interface Props {
  /** A run as `run_status` answers it, or a part of that. */
  readonly run: JsonObject;
  readonly language: Language;
  readonly actions: FaceActions;
  /** While it runs, its run is shown as it is at the moment. */
  readonly call?: FaceCall;
}

/** How far a run is, how fast, and how it ended. */
export function RunFacts({ run, language, actions, call }: Props): JSX.Element {
  const words = runWords[language];
  const [id, output] = [asText(run['run_id']), asText(run['output_handle'])];
  const { openRun, openOutput } = actions;
  const isLive = call?.state === 'running';
  return (
    <section class="f-part">
      <p class="c-line">
        <RunStatus status={run['status']} language={language} />
        {id !== null && <code class="c-quiet">{reveal(id)}</code>}
      </p>
      <RunProgress progress={run['progress']} language={language} isLive={isLive} />
      <RunNumbers run={run} language={language} isLive={isLive} />
      <KeyValues rows={rowsOf(run, language)} />
      <RunError error={run['error']} isWanted={run['status'] === 'cancelled'} />
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

export const runStatusWord = (status: string, language: Language): string =>
  Object.entries(runWords[language].status).find(([one]) => one === status)?.[1] ?? reveal(status);

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
  return <Badge tone={toneOfRun(name)}>{runStatusWord(name, language)}</Badge>;
}

interface ErrorProps {
  readonly error: JsonValue | undefined;
  /** Somebody wanted it to end: that is said, and not as a failure. */
  readonly isWanted?: boolean;
}

export function RunError({ error, isWanted = false }: ErrorProps): JSX.Element | null {
  const { code, message, hint } = asRecord(error);
  if (asText(code) === null) return null;
  if (isWanted) return <p class="c-quiet">{reveal(asText(message) ?? '')}</p>;
  return (
    <div class="f-error">
      <p>
        <code>{reveal(asText(code) ?? '')}</code> <bdi>{reveal(asText(message) ?? '')}</bdi>
      </p>
      {asText(hint) !== null && <p>{reveal(asText(hint) ?? '')}</p>}
    </div>
  );
}

type Rows = (readonly [ComponentChildren, ComponentChildren])[];

function rowsOf(run: JsonObject, language: Language): Rows {
  const words = runWords[language];
  const [tool, output, started] = [
    asText(run['tool']),
    asText(run['output_handle']),
    asTime(run['started_at']),
  ];
  const rows: Rows = [];
  if (tool !== null) rows.push([words.tool, <code>{reveal(tool)}</code>]);
  if (started !== null) rows.push([words.started, formatMoment(started)]);
  if (output !== null) rows.push([words.storedAs, <code>{reveal(output)}</code>]);
  return rows;
}
