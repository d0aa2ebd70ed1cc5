import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatDuration } from '../../../words/format.ts';
import { Badge } from '../../components/badge.tsx';
import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PageLines } from '../../components/page-lines.tsx';
import { numberIn, textIn, textsIn } from '../../components/read-json.ts';
import { Value } from '../../components/value.tsx';
import type { FacesOf, Render } from '../face.ts';
import { words } from './words.ts';

/** What held, what did not, and for how long it was waited. */
const Waited: Render = ({ answer, language, actions }) => {
  const { value, state } = answer;
  const { inspector } = words[language];
  const waitedMs = numberIn(state, 'waited_ms');
  return (
    <AnswerFrame answer={answer} language={language} actions={actions} showsState>
      <PageHead title={null} url={textIn(state, 'url')} openLink={actions.openLink}>
        {textsIn(state, 'met').map((name) => (
          <Badge key={name} tone="good">
            {inspector.met(reveal(name))}
          </Badge>
        ))}
        {textsIn(state, 'missing').map((name) => (
          <Badge key={name} tone="bad">
            {inspector.missing(reveal(name))}
          </Badge>
        ))}
        {waitedMs !== null && <span class="c-quiet">{inspector.after(formatDuration(waitedMs))}</span>}
      </PageHead>
      {typeof value === 'string' && value !== '' && <PageLines text={value} label={inspector.said} />}
      {value !== undefined && typeof value !== 'string' && <Value value={value} />}
    </AnswerFrame>
  );
};

export const faces: FacesOf<Render> = { wait_for: Waited };
