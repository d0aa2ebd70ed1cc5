import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ProgramCall } from '../../../shared/core/bridge/answers.ts';
import type { HumanAnswer } from '../../../shared/people/takeover.ts';
import { useCardWords } from '../../ui/words/en/card.ts';
import { formatMoment } from '../../ui/words/format.ts';
import { useAnswer } from '../../people/panel/ask-card.tsx';
import { useReason } from '../../people/panel/press-button.tsx';
import { Quoted } from '../../ui/quoted.tsx';
import { Button, Problem, Badge, Skeleton } from '../../ui/kit.tsx';
import { whyOf } from '../../ui/frame/feed-client.ts';
import type { ShownRun } from '../../ui/frame/home-lists.ts';
import { CallsOfProgram } from '../../ui/frame/results-store.ts';
import { NOT_ENDED, type FaceCall, type Tone } from '../../ui/faces/face.ts';
import { CallFace, CallInspector } from '../../ui/frame/call-face.tsx';
import { useAttempt, usePanel, usePanelWords } from '../../ui/frame/panel-context.tsx';

type Say = (
  said: { readonly answer?: HumanAnswer } | { readonly outcome: 'retry' | 'skip'; readonly result?: string },
) => Promise<void>;

const TONES: Readonly<Record<ProgramCall['status'], Tone>> = {
  done: 'good',
  running: 'busy',
  waiting: 'wait',
  failed: 'bad',
  not_repeated: 'bad',
};
/** While it runs, read-only calls are not in the record yet: it is polled. */
const LOOK_MS = 1_000;

export const isActive = ({ status }: ShownRun['run']): boolean => status === 'running' || status === 'queued';

/** The outcome of its last call is unknown: a person reports it at that call. */
export const isStopped = ({ status, error }: ShownRun['run']): boolean =>
  status === 'failed' && error?.code === 'outcome_unknown';

/** The calls of a program as they come, with its questions in place. */
export function ProgramCalls({ shown }: { readonly shown: ShownRun }) {
  const { feed, state } = usePanel();
  const { runs: words, reading } = usePanelWords();
  const { home, run } = shown;
  const calls = useMemo(
    () => new CallsOfProgram((query) => feed.client.ask('runs.calls', query), { home, run_id: run.run_id }),
    [feed, home, run.run_id],
  );
  const [problem, attempt] = useAttempt();
  useEffect(() => void calls.refresh(), [calls, run.status, run.progress.done]);
  useEffect(() => {
    if (!isActive(run)) return undefined;
    const timer = setInterval(() => void calls.refresh(), LOOK_MS);
    return () => clearInterval(timer);
  }, [calls, isActive(run)]);
  const sayOf =
    ({ id }: ProgramCall): Say =>
    async (said) => {
      const of = { home, run_id: run.run_id };
      await attempt(
        'outcome' in said
          ? feed.client.ask('runs.resume', { ...of, ...said })
          : feed.client.ask('runs.answer', { ...of, call: id, ...said }),
      );
      void calls.refresh();
      await feed.runs.refresh();
    };
  const page = calls.page.value;
  const failure = calls.failure.value;
  const { before = null, after = null } = page ?? {};
  return (
    <div class="program-calls flow">
      {page === null && failure === null && <Skeleton lines={3} label={reading} />}
      <Problem>{failure && `${words.callsFailed} ${whyOf(failure)}`}</Problem>
      <Problem>{problem}</Problem>
      {before !== null && <Button onClick={() => void calls.turn(before)}>{words.earlierCalls}</Button>}
      {page?.calls.length === 0 && <p class="quiet">{words.noCalls}</p>}
      <ol aria-label={words.callsOf}>
        {page?.calls.map((call) => (
          <CallRow key={call.id} call={call} say={state.isPanel ? sayOf(call) : null} run={run} />
        ))}
      </ol>
      {after !== null && <Button onClick={() => void calls.turn(after)}>{words.laterCalls}</Button>}
    </div>
  );
}

type OfCall = { readonly call: ProgramCall; readonly run: ShownRun['run'] };

function CallRow({ call, run, say }: OfCall & { readonly say: Say | null }) {
  const { runs: words } = usePanelWords();
  const { id, status, kind, question } = call;
  const asks = kind === 'ask' && status === 'waiting';
  // The program may have caught an earlier one and continued.
  const isStop = status === 'not_repeated' && isStopped(run);
  return (
    <li class={asks || isStop ? 'program-call asks' : 'program-call'}>
      <div class="line">
        <span class="number">{id}</span>
        <span class="what">
          <What call={call} run={run} />
        </span>
        <Badge tone={TONES[status]}>{words.callStatuses[asks ? 'asks' : status]}</Badge>
      </div>
      {question !== null && (
        <p class="why">
          <Quoted text={question.message} />
        </p>
      )}
      {asks && question !== null && say !== null && <Question question={question} say={say} />}
      {isStop && <p class="quiet">{words.unknown}</p>}
      {isStop && say !== null && <Decide call={id} say={say} />}
      <CallAnswer call={call} run={run} />
    </li>
  );
}

function What({ call, run }: OfCall) {
  const { runs: words } = usePanelWords();
  const { ask } = useCardWords();
  if (call.question !== null) return <b class="tool">{ask.title}</b>;
  if (call.until !== null) return <b class="tool">{words.until({ time: formatMoment(call.until) })}</b>;
  return <CallInspector call={faceCallOf(call, run.run_id)} />;
}

function CallAnswer({ call, run }: OfCall) {
  const { faces } = usePanelWords();
  const { answer, kind, status } = call;
  if (answer === null || kind === 'sleep') return null;
  return (
    <details open={status === 'failed' || kind === 'ask'}>
      <summary>{faces.answer}</summary>
      <CallFace call={faceCallOf(call, run.run_id)} answer={answer} isLost={false} />
    </details>
  );
}

function Decide({ call, say }: { readonly call: number; readonly say: Say }) {
  const { runs: words } = usePanelWords();
  const [field, { reason: result }] = useReason(words.inItsPlace);
  const skip = result === undefined ? {} : { result };
  return (
    <>
      {field}
      <div class="run-opens cluster above">
        <Button
          aria-label={words.ofCall({ button: words.makeAgain, call })}
          onClick={() => void say({ outcome: 'retry' })}
        >
          {words.makeAgain}
        </Button>
        <Button
          aria-label={words.ofCall({ button: words.skip, call })}
          onClick={() => void say({ outcome: 'skip', ...skip })}
        >
          {words.skip}
        </Button>
      </div>
    </>
  );
}

type QuestionProps = { readonly question: NonNullable<ProgramCall['question']>; readonly say: Say };

/** A program's question is about its own work: unlike the card of a call, it allows nothing. */
function Question({ question, say }: QuestionProps) {
  const [isSent, setSent] = useState(false);
  const { form, fields, no, yes, onNo, onYes } = useAnswer(question, (said) => {
    setSent(true);
    void say(said).finally(() => setSent(false));
  });
  return (
    <form ref={form} class="program-question" onSubmit={(event) => event.preventDefault()}>
      {fields}
      <div class="run-opens cluster above">
        <Button disabled={isSent} onClick={onNo}>
          {no}
        </Button>
        <Button disabled={isSent} onClick={onYes}>
          {yes}
        </Button>
      </div>
    </form>
  );
}

/** A question has the face of the tool that asks people. */
const faceCallOf = ({ id, kind, tool, args, status, answer }: ProgramCall, runId: string): FaceCall => ({
  ...NOT_ENDED,
  callId: `${runId}.${id}`,
  tool: kind === 'ask' ? 'request_human_input' : tool,
  args,
  state: status === 'done' ? 'ok' : status === 'running' || status === 'waiting' ? 'running' : 'failed',
  code: answer?.error?.code ?? null,
  handle: answer?.stored?.handle ?? null,
});
