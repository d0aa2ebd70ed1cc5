import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { textIn } from '../../components/read-json.ts';
import { Value } from '../../components/value.tsx';
import type { FacesOf, Render } from '../face.ts';
import { words } from './words.ts';

/** The structure of a page. */
const Skeleton: Render = ({ answer, language, actions }) => {
  const { value, state } = answer;
  return (
    <AnswerFrame answer={answer} language={language} actions={actions} showsState>
      <PageHead title={textIn(state, 'title')} url={textIn(state, 'url')} openLink={actions.openLink} />
      {typeof value === 'string' && value !== '' && (
        <CodeBlock text={value} label={words[language].inspector.structure} />
      )}
      {value !== undefined && typeof value !== 'string' && <Value value={value} />}
    </AnswerFrame>
  );
};

export const faces: FacesOf<Render> = { html_skeleton: Skeleton };
