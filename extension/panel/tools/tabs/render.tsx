import type { JSX } from 'preact';
import type { JsonValue } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { Badge } from '../../components/badge.tsx';
import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { isSet, listIn, textIn } from '../../components/read-json.ts';
import type { OpenLink } from '../../components/text.ts';
import { Value } from '../../components/value.tsx';
import type { FacesOf, Render } from '../face.ts';
import { words, type TabsWords } from './words.ts';

const DONE = ['opened', 'closed', 'activated'] as const;
const MARKS = ['current', 'active', 'loading', 'discarded'] as const;

/** The open tabs, or what became of one. */
const Tabs: Render = ({ answer, language, actions: { openLink, ...actions } }) => {
  const { value } = answer;
  const { inspector } = words[language];
  const tabs = listIn(value, 'tabs');
  const done = DONE.filter((name) => textIn(value, name) !== null);
  const isEmpty = answer.ok && value !== undefined && tabs.length + done.length === 0;
  return (
    <AnswerFrame answer={answer} language={language} actions={{ openLink, ...actions }}>
      {done.length > 0 && (
        <PageHead title={textIn(value, 'title')} url={textIn(value, 'url')} openLink={openLink}>
          {done.map((name) => (
            <Badge key={name} tone="good">
              {inspector.done[name](reveal(textIn(value, name) ?? ''))}
            </Badge>
          ))}
        </PageHead>
      )}
      {tabs.length > 0 && (
        <ul class="f-items">
          {tabs.map((tab, at) => (
            <TabLine key={at} tab={tab} openLink={openLink} words={inspector} />
          ))}
        </ul>
      )}
      {isEmpty &&
        (typeof value === 'string' ? <Value value={value} /> : <p class="c-quiet">{inspector.none}</p>)}
    </AnswerFrame>
  );
};

interface LineProps {
  readonly tab: JsonValue;
  readonly openLink: OpenLink;
  readonly words: TabsWords;
}

const TabLine = ({ tab, openLink, words: said }: LineProps): JSX.Element => (
  <li>
    <PageHead title={textIn(tab, 'title')} url={textIn(tab, 'url')} openLink={openLink}>
      <code>{reveal(textIn(tab, 'tab') ?? '')}</code>
      {MARKS.filter((name) => isSet(tab, name)).map((name) => (
        <Badge key={name} tone={name === 'current' ? 'busy' : 'plain'}>
          {said.marks[name]}
        </Badge>
      ))}
    </PageHead>
  </li>
);

export const faces: FacesOf<Render> = { tabs: Tabs };
