import type { JSX } from 'preact';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { Badge } from '../../components/badge.tsx';
import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PageLines } from '../../components/page-lines.tsx';
import { textIn } from '../../components/read-json.ts';
import { Value } from '../../components/value.tsx';
import type { FacesOf, Render } from '../face.ts';
import { factOf, readReceipt, type Receipt } from './receipt.ts';
import { words, type InteractWords } from './words.ts';

/** What was done, how each step ended, and what came of it. */
const Done: Render = ({ answer, language, actions }) => {
  const { value, state } = answer;
  const { inspector } = words[language];
  const receipt = typeof value === 'string' && value !== '' ? readReceipt(value) : null;
  const title = receipt?.page.find((line) => line.startsWith('title ')) ?? null;
  return (
    <AnswerFrame answer={answer} language={language} actions={actions} showsState>
      <PageHead
        title={title === null ? null : factOf(title)}
        url={textIn(state, 'url')}
        openLink={actions.openLink}
      />
      {receipt !== null && <ReceiptView receipt={receipt} words={inspector} />}
      {value !== undefined && typeof value !== 'string' && <Value value={value} />}
    </AnswerFrame>
  );
};

const PARTS = ['step', 'page', 'dialog', 'opened', 'download', 'requests', 'error', 'untried'] as const;
const BAD: ReadonlySet<string> = new Set(['error', 'untried']);

function ReceiptView({
  receipt,
  words: said,
}: {
  readonly receipt: Receipt;
  readonly words: InteractWords;
}): JSX.Element {
  const count = Number(/\d+/.exec(receipt.done[0] ?? '')?.[0] ?? Number.NaN);
  return (
    <>
      {!Number.isNaN(count) && (
        <p class="f-title">
          <Badge tone="good">{said.done(count)}</Badge>
        </p>
      )}
      {PARTS.filter((part) => receipt[part].length > 0).map((part) => (
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

export const faces: FacesOf<Render> = { interact: Done };
