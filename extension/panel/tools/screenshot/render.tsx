import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import { Picture } from '../../components/picture.tsx';
import { textIn } from '../../components/read-json.ts';
import { PageHead } from '../../components/page-head.tsx';
import { Value } from '../../components/value.tsx';
import type { FacesOf, Render } from '../face.ts';
import { words } from './words.ts';

/** The picture, and that nothing in it can be redacted. */
const Taken: Render = ({ answer, language, actions }) => {
  const { value, picture, state } = answer;
  const { inspector } = words[language];
  return (
    <AnswerFrame answer={answer} language={language} actions={actions} showsState>
      <PageHead title={null} url={textIn(state, 'url')} openLink={actions.openLink} />
      {picture !== null && (
        <figure class="f-picture">
          <Picture {...picture} alt={inspector.shown} />
          <figcaption class="c-quiet">{inspector.notRedacted}</figcaption>
        </figure>
      )}
      {value !== undefined && value !== '' && <Value value={value} openLink={actions.openLink} />}
    </AnswerFrame>
  );
};

export const faces: FacesOf<Render> = { screenshot: Taken };
