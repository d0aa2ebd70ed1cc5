import { faceTexts } from '../words/faces.ts';
import type { FaceWords } from '../words/faces-en.ts';
import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { JsonObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { WordsContext } from '../../components/words.ts';
import { Badge } from '../../components/marks.tsx';
import { AnswerFrame } from '../../components/general-render.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PageLines } from '../../components/page-lines.tsx';
import { asRecords, textIn } from '../../components/read-json.ts';
import { Value } from '../../components/value.tsx';
import type { Render } from '../face.ts';
import { type Receipt, factOf, readReceipt } from './interact-steps.ts';
import { stepSentence } from './interact-steps.ts';

/** What was done, how each step ended, and what came of it. */
export const Done: Render = ({ answer }) => {
  const { value, state } = answer;
  const { interact: words } = faceTexts[useContext(WordsContext)];
  const receipt = typeof value === 'string' && value !== '' ? readReceipt(value) : null;
  const title = receipt?.page.find((line) => line.startsWith('title ')) ?? null;
  return (
    <AnswerFrame answer={answer} showsState>
      <PageHead title={title === null ? null : factOf(title)} url={textIn(state, 'url')} />
      <StepList state={state} />
      {receipt !== null && (
        <ReceiptView receipt={receipt} hasSteps={asRecords(state['did']).length > 0} words={words} />
      )}
      {value !== undefined && typeof value !== 'string' && <Value value={value} />}
    </AnswerFrame>
  );
};

/** Each step with what it changed, in their order. */
function StepList({ state }: { readonly state: JsonObject }): JSX.Element | null {
  const language = useContext(WordsContext);
  const steps = asRecords(state['did']);
  if (steps.length === 0) return null;
  return (
    <ol class="f-steps">
      {steps.map((step, at) => {
        const { verb, what } = stepSentence(textIn(step, 'step') ?? '', language);
        const note = textIn(step, 'note');
        return (
          <li key={at}>
            <b>{verb}</b> <bdi>{reveal(what)}</bdi>
            {note !== null && (
              <>
                {' '}
                <bdi class="c-quiet">{reveal(note)}</bdi>
              </>
            )}
          </li>
        );
      })}
    </ol>
  );
}

const PARTS = ['step', 'page', 'dialog', 'opened', 'download', 'requests', 'error', 'untried'] as const;
const BAD: ReadonlySet<string> = new Set(['error', 'untried']);

function ReceiptView({
  receipt,
  hasSteps,
  words: said,
}: {
  readonly receipt: Receipt;
  /** Its steps are above. */
  readonly hasSteps: boolean;
  readonly words: FaceWords['interact'];
}): JSX.Element {
  const count = Number(/\d+/.exec(receipt.done[0] ?? '')?.[0] ?? Number.NaN);
  return (
    <>
      {!Number.isNaN(count) && (
        <p class="f-title">
          <Badge tone="good">{said.done(count)}</Badge>
        </p>
      )}
      {PARTS.filter((part) => receipt[part].length > 0 && !(part === 'step' && hasSteps)).map((part) => (
        <section key={part} class="f-part">
          <h3>{said.parts[part]}</h3>
          <ul class={BAD.has(part) ? 'f-notes f-bad' : 'f-notes'}>
            {receipt[part].map((line, at) => (
              <li key={at}>
                <bdi>{reveal(factOf(line))}</bdi>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {receipt.change.length > 0 && (
        <section class="f-part">
          <h3>{said.parts.change}</h3>
          <PageLines text={receipt.change.join('\n')} label={said.parts.change} isDiff />
        </section>
      )}
    </>
  );
}
