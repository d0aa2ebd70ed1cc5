import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import type { FacesOf, Portal } from '../face.ts';
import { PageList } from './page-list.tsx';
import { pagesIn } from './page-tree.ts';
import { faces as renders } from './render.tsx';

const Render = renders['crawl'];

/** All pages, to be filtered. */
const Pages: Portal = (props) => {
  const { answer, language, actions } = props;
  if (!Array.isArray(answer.value)) return Render === undefined ? null : <Render {...props} />;
  return (
    <AnswerFrame answer={answer} language={language} actions={actions}>
      <PageList pages={pagesIn(answer.value)} language={language} actions={actions} hasFilter />
    </AnswerFrame>
  );
};

export const faces: FacesOf<Portal> = { crawl: Pages };
