import { isObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatNumber } from '../../../words/format.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import { asNumber } from '../../components/read-json.ts';
import { ItemsFooter } from '../../components/record-table.tsx';
import { isRun, RunFacts } from '../../components/runs/run-facts.tsx';
import type { FacesOf, Render } from '../face.ts';
import { words as texts } from './face-words.ts';
import { PageList } from './page-list.tsx';
import { pagesIn } from './page-tree.ts';

/** How the crawl went, and its pages. Of one that failed, how far it came: its items are in its run. */
const Crawl: Render = ({ answer, ...place }) => {
  const words = texts[place.language];
  const { value, state } = answer;
  const run = isObject(value) ? value : state;
  const left = asNumber(state['queued']) ?? 0;
  const { page } = place.actions;
  return (
    <AnswerFrame answer={answer} {...place} showsState={isRun(run)}>
      {isRun(run) && <RunFacts run={run} {...place} />}
      {Array.isArray(value) && <PageList pages={pagesIn(value)} {...place} />}
      {Array.isArray(value) && page !== null && <ItemsFooter rows={value} {...page} />}
      {Array.isArray(value) && left > 0 && <p class="c-hint">{words.left(formatNumber(left))}</p>}
      {typeof value === 'string' && value !== '' && <CodeBlock text={reveal(value)} />}
    </AnswerFrame>
  );
};

export const faces: FacesOf<Render> = { crawl: Crawl };
