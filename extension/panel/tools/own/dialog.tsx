import { builtins } from '../words/words.ts';
import type { ToolWords } from '../words/en.ts';
import type { JSX } from 'preact';
import type { JsonValue } from '../../../../shared/json.ts';
import { Badge } from '../../components/marks.tsx';
import { AnswerFrame } from '../../components/general-render.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PageLines } from '../../components/page-lines.tsx';
import { asRecord, isSet, textIn } from '../../components/read-json.ts';
import { revealLines } from '../../components/text.ts';
import { Value } from '../../components/value.tsx';
import type { Render } from '../face.ts';

/** What the page asked, what was answered, and what it did next. */
export const Answered: Render = ({ answer, language, actions }) => {
  const { value } = answer;
  const { inspector } = builtins[language].dialog;
  const changes = textIn(value, 'changes');
  const dialog = asRecord(value)['answered'];
  const next = asRecord(value)['next_dialog'];
  return (
    <AnswerFrame answer={answer} language={language} actions={actions}>
      {dialog !== undefined && (
        <p class="f-title">
          <Says dialog={dialog} words={inspector} />
          <Badge tone={isSet(value, 'accepted') ? 'good' : 'off'}>
            {isSet(value, 'accepted') ? inspector.accepted : inspector.dismissed}
          </Badge>
        </p>
      )}
      <PageHead title={textIn(value, 'title')} url={textIn(value, 'url')} openLink={actions.openLink} />
      {next !== undefined && (
        <p class="f-notice asks">
          {inspector.next} <Says dialog={next} words={inspector} />
        </p>
      )}
      {changes !== null && <PageLines text={changes} label={inspector.changes} isDiff />}
      {value !== undefined && value !== '' && dialog === undefined && <Value value={value} />}
    </AnswerFrame>
  );
};

const Says = ({
  dialog,
  words: said,
}: {
  readonly dialog: JsonValue;
  readonly words: ToolWords['dialog']['inspector'];
}): JSX.Element => (
  <>
    <Badge>{revealLines(textIn(dialog, 'type') ?? said.dialog)}</Badge>{' '}
    <q>
      <bdi>{revealLines(textIn(dialog, 'message') ?? '')}</bdi>
    </q>
  </>
);
