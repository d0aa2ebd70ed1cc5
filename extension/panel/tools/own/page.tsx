import { builtins } from '../words/words.ts';
import type { ToolWords } from '../words/en.ts';
import type { JSX } from 'preact';
import { AnswerFrame } from '../../components/general-render.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PageLines } from '../../components/page-lines.tsx';
import { PageText } from '../../components/page-text.tsx';
import { itemsOf, textIn } from '../../components/read-json.ts';
import { RecordTable } from '../../components/record-table.tsx';
import { Value } from '../../components/value.tsx';
import type { FaceActions, FaceAnswer, Render } from '../face.ts';

/** The page as it was read, and below it what was not. */
export const PageRead: Render = ({ call, answer, language, actions }) => {
  const { state } = answer;
  const { format = textIn(state, 'format') ?? 'markdown' } = call.args;
  return (
    <AnswerFrame answer={answer} language={language} actions={actions} showsState>
      <PageHead title={textIn(state, 'title')} url={textIn(state, 'url')} openLink={actions.openLink} />
      <Content
        answer={answer}
        format={String(format)}
        actions={actions}
        words={builtins[language].read_page.inspector}
      />
    </AnswerFrame>
  );
};

interface ContentProps {
  readonly answer: FaceAnswer;
  readonly format: string;
  readonly actions: FaceActions;
  readonly words: ToolWords['read_page']['inspector'];
}

function Content({
  answer: { value, state },
  format,
  actions: { openLink, page },
  words: said,
}: ContentProps): JSX.Element | null {
  if (value === undefined || value === '') return null;
  const items = itemsOf(value);
  if (items !== null) return <RecordTable rows={items} openLink={openLink} {...page} />;
  if (typeof value !== 'string') return <Value value={value} openLink={openLink} />;
  const shown = { text: value, title: textIn(state, 'title'), openLink };
  if (format === 'markdown') return <PageText {...shown} />;
  const draw = (isWhole: boolean): JSX.Element =>
    format === 'snapshot' ? (
      <PageLines text={value} label={said.snapshot} isDiff isWhole={isWhole} />
    ) : (
      <CodeBlock text={value} label={format === 'html' ? said.html : said.text} isWhole={isWhole} />
    );
  return <PageText {...shown} draw={draw} />;
}
