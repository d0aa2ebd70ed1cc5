import { useContext } from 'preact/hooks';
import type { JsonObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { asRecords, textIn } from '../../components/read-json.ts';
import { WordsContext } from '../../../words/use-texts.ts';
import { ofState, type Block, type Blocks, type Given } from '../block.ts';
import { renderOfView } from '../blocks.tsx';
import { type Receipt, factOf, readReceipt, stepSentence } from './interact-steps.ts';

const PARTS = ['step', 'page', 'dialog', 'opened', 'download', 'requests', 'error', 'untried'] as const;
const BAD: ReadonlySet<string> = new Set(['error', 'untried']);

function receiptOf(receipt: Receipt, hasSteps: boolean, words: Given['words']['interact']): Blocks {
  const count = Number(/\d+/.exec(receipt.done[0] ?? '')?.[0] ?? Number.NaN);
  return [
    !Number.isNaN(count) && { line: { marks: [['good', words.done(count)]] } },
    ...PARTS.filter((part) => receipt[part].length > 0 && !(part === 'step' && hasSteps)).map(
      (part): Block => ({
        part: words.parts[part],
        blocks: [{ notes: receipt[part].map(factOf), isBad: BAD.has(part) }],
      }),
    ),
    receipt.change.length > 0 && {
      part: words.parts.change,
      blocks: [{ text: receipt.change.join('\n'), as: 'diff', label: words.parts.change }],
    },
  ];
}

/** Each step with its changes, in order. */
function StepList({ steps }: { readonly steps: readonly JsonObject[] }) {
  const language = useContext(WordsContext);
  return (
    <ol class="f-steps">
      {steps.map((step, at) => {
        const { verb, what } = stepSentence(textIn(step, 'step') ?? '', language);
        const note = textIn(step, 'note');
        return (
          <li key={at}>
            <b>{verb}</b> <bdi>{reveal(what)}</bdi>{' '}
            {note !== null && <bdi class="c-quiet">{reveal(note)}</bdi>}
          </li>
        );
      })}
    </ol>
  );
}

export const Done = renderOfView(
  ofState(({ value, state, words: { interact: words } }) => {
    const receipt = typeof value === 'string' && value !== '' ? readReceipt(value) : null;
    const title = receipt?.page.find((line) => line.startsWith('title '));
    const steps = asRecords(state['did']);
    return [
      {
        line: { isHead: true, title: title === undefined ? null : factOf(title), url: textIn(state, 'url') },
      },
      steps.length > 0 && { own: <StepList steps={steps} /> },
      ...(receipt === null ? [] : receiptOf(receipt, steps.length > 0, words)),
      value !== undefined && typeof value !== 'string' && { value },
    ];
  }),
);
