import { faceTexts } from '../words/faces.ts';
import type { ComponentChildren, JSX } from 'preact';
import { type JsonObject, isObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import type { Language } from '../../../words/languages.ts';
import { Badge, type Tone } from '../../components/marks.tsx';
import { AnswerFrame } from '../../components/general-render.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { asText } from '../../components/read-json.ts';
import { revealLines } from '../../components/text.ts';
import { Value } from '../../components/value.tsx';
import type { FaceActions, Render } from '../face.ts';

const TONES: Readonly<Record<string, Tone>> = {
  done: 'good',
  waiting: 'wait',
  timeout: 'wait',
  nobody_there: 'wait',
  declined: 'bad',
};

/** Members that have a place of their own. */
const SHOWN: ReadonlySet<string> = new Set(['summary', 'question', 'outcome', 'answer', 'reason', 'tab']);

/** What a person was asked, and what they said. */
export const Answered: Render = ({ answer, ...place }) => (
  <AnswerFrame answer={answer} {...place}>
    {isObject(answer.value) ? (
      <Reply value={answer.value} {...place} />
    ) : (
      answer.value !== undefined && <Value value={answer.value} />
    )}
  </AnswerFrame>
);

interface ReplyProps {
  readonly value: JsonObject;
  readonly language: Language;
  readonly actions: FaceActions;
}

function Reply({ value, language, actions }: ReplyProps): JSX.Element {
  const summary = asText(value['summary']);
  const others = Object.fromEntries(Object.entries(value).filter(([name]) => !SHOWN.has(name)));
  return (
    <section class="f-part">
      <p class="c-line">
        <Outcome outcome={asText(value['outcome'])} language={language} />
        {summary !== null && <bdi>{reveal(summary)}</bdi>}
      </p>
      <KeyValues rows={rowsOf(value, language)} />
      {Object.keys(others).length > 0 && <Value value={others} openLink={actions.openLink} />}
    </section>
  );
}

function Outcome({
  outcome,
  language,
}: {
  readonly outcome: string | null;
  readonly language: Language;
}): JSX.Element | null {
  if (outcome === null) return null;
  const word = Object.entries(faceTexts[language].request_human_input.outcomes).find(
    ([name]) => name === outcome,
  )?.[1];
  return <Badge tone={TONES[outcome] ?? 'plain'}>{word ?? reveal(outcome)}</Badge>;
}

function rowsOf({ question, answer, reason, tab }: JsonObject, language: Language) {
  const words = faceTexts[language].request_human_input;
  const rows: [ComponentChildren, ComponentChildren][] = [];
  const add = (label: string, text: string | null): void => {
    if (text !== null) rows.push([label, <bdi>{revealLines(text)}</bdi>]);
  };
  add(words.question, asText(question));
  if (typeof answer === 'boolean') add(words.answer, answer ? words.yes : words.no);
  else if (answer !== undefined && answer !== null) rows.push([words.answer, <Value value={answer} />]);
  add(words.reason, asText(reason));
  add(words.tab, asText(tab));
  return rows;
}
