import { useContext } from 'preact/hooks';
import { type JsonObject, type JsonValue, isJsonList, isObject } from '../../../shared/base/json.ts';
import { hides } from '../../ui/reveal-parts.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { Quoted } from '../../ui/quoted.tsx';
import { pageOf } from '../../ui/shown.ts';
import { readJson } from '../../ui/text.ts';
import { useTexts, WordsContext } from '../../ui/words/use-texts.ts';
import type { Block, Blocks, Given, Intervention, Field } from '../../ui/faces/face.ts';
import { face } from '../../ui/faces/blocks.tsx';
import { type Receipt, factOf, readReceipt, stepSentence } from './face-steps.ts';
import { Notes } from '../../ui/general-render.tsx';
import { Problem } from '../../ui/kit.tsx';
import { toolTexts } from '../../ui/words/en/tools.ts';
import { stepProblem } from '../../../shared/act/parse-step.ts';
import { EditForm, EditText, OtherArguments, formatFormValue } from '../../ui/edit-form.tsx';

const PARTS = ['step', 'page', 'dialog', 'opened', 'download', 'requests', 'error', 'untried'] as const;
const BAD: ReadonlySet<string> = new Set(['error', 'untried']);

function receiptOf(receipt: Receipt, hasSteps: boolean, words: Given['words']['interact']): Blocks {
  const [done] = receipt.done ?? [];
  const change = receipt.change?.join('\n');
  return [
    done !== undefined && {
      line: { marks: [['good', words.done({ count: Number(done.slice('done '.length)) })]] },
    },
    ...PARTS.map((part): Block | false => {
      const notes = receipt[part]?.map(factOf);
      if (notes === undefined || (part === 'step' && hasSteps)) return false;
      return { part: words.parts[part], blocks: [{ own: <Notes notes={notes} isBad={BAD.has(part)} /> }] };
    }),
    change !== undefined && {
      part: words.parts.change,
      blocks: [{ text: change, as: 'diff', label: words.parts.change }],
    },
  ];
}

/** Each step with its changes, in order. */
function StepList({ steps }: { readonly steps: NonNullable<Given<'interact'>['state']['did']> }) {
  const language = useContext(WordsContext);
  const lines = steps.map(({ step, note }) => {
    const { verb, what } = stepSentence(step, language);
    return (
      <li>
        <b>{verb}</b> <bdi>{reveal(what)}</bdi> {note !== null && <bdi class="dim">{reveal(note)}</bdi>}
      </li>
    );
  });
  return <ol class="marked quiet">{lines}</ol>;
}

export const Done = face('interact', ({ text, state, words: { interact: words } }) => {
  const receipt = readReceipt(text);
  const title = receipt.page?.find((line) => line.startsWith('title '));
  const { url, did: steps = [] } = state;
  return [
    pageOf({ url, title: title && factOf(title) }),
    steps.length > 0 && { own: <StepList steps={steps} /> },
    ...receiptOf(receipt, steps.length > 0, words),
  ];
});

export const StepsForm: Intervention = ({ args, onEdit }) => {
  const { interact: words } = useTexts(toolTexts).forms;
  const { steps, fields } = args;
  const lines = isJsonList(steps) ? steps : [];
  const problems = lines.map(problemOf);
  const problem = firstOf(problems);
  const edit = (now: readonly JsonValue[]): void =>
    onEdit({ ...args, steps: now }, firstOf(now.map(problemOf)));
  return (
    <>
      {isObject(fields) && (
        <EditForm
          args={{ fields }}
          fields={formOf(fields)}
          labelOf={reveal}
          onEdit={(now) => onEdit({ ...args, ...now }, problem)}
        />
      )}
      <ol class="edit-steps marked">
        {lines.map(formatFormValue).map((text, at) => (
          <li key={at}>
            <div class="edit-step">
              <EditText
                aria-label={words.step({ at: at + 1 })}
                aria-invalid={problems[at] !== null}
                value={text}
                onChange={(now) => edit(lines.with(at, readStep(now)))}
              />
              <button
                type="button"
                aria-label={words.remove({ at: at + 1 })}
                title={words.remove({ at: at + 1 })}
                onClick={() => edit(lines.toSpliced(at, 1))}
              >
                ✕
              </button>
            </div>
            {hides(text) && <Quoted text={text} />}
          </li>
        ))}
      </ol>
      <Problem>{problem}</Problem>
      <button type="button" class="plain" onClick={() => edit([...lines, ''])}>
        {words.add}
      </button>
      <OtherArguments
        args={args}
        shown={[...(isJsonList(steps) ? ['steps'] : []), ...(isObject(fields) ? ['fields'] : [])]}
      />
    </>
  );
};

/** A step that was an object stays one while it is JSON. */
function readStep(text: string): JsonValue {
  const step = readJson(text);
  return isObject(step) ? step : text;
}

function problemOf(step: JsonValue, at: number): string | null {
  const problem = typeof step === 'string' ? stepProblem(step) : null;
  return problem === null ? null : `${at + 1}: ${problem}`;
}

const firstOf = (problems: readonly (string | null)[]): string | null =>
  problems.find((one) => one !== null) ?? null;

const formOf = (fields: JsonObject): readonly Field<string>[] =>
  Object.entries(fields).map(([label, value]) => ({
    path: ['fields', label],
    label,
    kind: typeof value === 'boolean' ? 'check' : isJsonList(value) ? 'lines' : 'text',
  }));
