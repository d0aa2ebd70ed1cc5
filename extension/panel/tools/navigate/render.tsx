import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatDuration, formatNumber } from '../../../words/format.ts';
import { Badge } from '../../components/badge.tsx';
import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { listIn, numberIn, textIn } from '../../components/read-json.ts';
import { formatAddress } from '../../components/text.ts';
import { Value } from '../../components/value.tsx';
import type { FacesOf, Render } from '../face.ts';
import { words } from './words.ts';

const FAILED_STATUS = 400;

/** Where the tab arrived, and by which way. */
const Arrived: Render = ({ answer, language, actions }) => {
  const { value } = answer;
  const { inspector } = words[language];
  const status = numberIn(value, 'status');
  const problem = textIn(value, 'problem');
  const tab = textIn(value, 'tab');
  const waitedMs = numberIn(value, 'waited_ms');
  const redirects = listIn(value, 'redirects');
  const inAll = numberIn(value, 'redirects_in_all') ?? redirects.length;
  return (
    <AnswerFrame answer={answer} language={language} actions={actions}>
      <PageHead title={textIn(value, 'title')} url={textIn(value, 'url')} openLink={actions.openLink}>
        {status !== null && (
          <Badge tone={status < FAILED_STATUS ? 'good' : 'bad'}>{inspector.status(status)}</Badge>
        )}
      </PageHead>
      {problem !== null && (
        <p class="f-notice asks">
          <bdi>{reveal(problem)}</bdi>
        </p>
      )}
      {tab !== null && (
        <KeyValues
          rows={[
            [inspector.tab, <code>{reveal(tab)}</code>],
            ...(waitedMs === null ? [] : ([[inspector.waited, formatDuration(waitedMs)]] as const)),
          ]}
        />
      )}
      {redirects.length > 0 && (
        <section class="f-part">
          <h3>{inspector.redirects(formatNumber(inAll))}</h3>
          <ol class="f-items">
            {redirects.map((hop, at) => (
              <li key={at} class="f-title">
                <Badge>{numberIn(hop, 'status')}</Badge>
                <bdi>{reveal(formatAddress(textIn(hop, 'url') ?? ''))}</bdi>
              </li>
            ))}
          </ol>
        </section>
      )}
      {typeof value === 'string' && value !== '' && <Value value={value} />}
    </AnswerFrame>
  );
};

export const faces: FacesOf<Render> = { navigate: Arrived };
