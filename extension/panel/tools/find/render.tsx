import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PageLines } from '../../components/page-lines.tsx';
import { numberIn, textIn } from '../../components/read-json.ts';
import { Badge } from '../../components/badge.tsx';
import { Value } from '../../components/value.tsx';
import { formatNumber } from '../../../words/format.ts';
import type { FacesOf, Render } from '../face.ts';
import { words } from './words.ts';

/** The elements that were found, with their refs. */
const Found: Render = ({ answer, language, actions }) => {
  const { value, state } = answer;
  const { inspector } = words[language];
  const found = numberIn(state, 'found');
  const more = numberIn(state, 'more') ?? 0;
  return (
    <AnswerFrame answer={answer} language={language} actions={actions} showsState>
      <PageHead title={textIn(state, 'title')} url={textIn(state, 'url')} openLink={actions.openLink}>
        {found !== null && (
          <Badge tone={found > 0 ? 'good' : 'wait'}>
            {more > 0
              ? inspector.foundOf(formatNumber(found), formatNumber(found + more))
              : inspector.found(found)}
          </Badge>
        )}
      </PageHead>
      {typeof value === 'string' && value !== '' && <PageLines text={value} label={inspector.elements} />}
      {value !== undefined && typeof value !== 'string' && <Value value={value} />}
    </AnswerFrame>
  );
};

export const faces: FacesOf<Render> = { find: Found };
