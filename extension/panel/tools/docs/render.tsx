import { reveal } from '../../../../shared/policy/reveal.ts';
import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { itemsOf, textIn } from '../../components/read-json.ts';
import { Value } from '../../components/value.tsx';
import type { FacesOf, Render } from '../face.ts';
import { words } from './words.ts';

/** The sections that fit, best first. */
const FoundSections: Render = ({ answer, language, actions }) => {
  const { value } = answer;
  const items = itemsOf(value);
  return (
    <AnswerFrame answer={answer} language={language} actions={actions}>
      {items !== null && items.length === 0 && <p class="c-quiet">{words[language].inspector.nothing}</p>}
      {items !== null && items.length > 0 && (
        <ul class="f-items">
          {items.map((item, at) => (
            <li key={at}>
              <p class="f-title">
                <b>{reveal(textIn(item, 'heading') ?? '')}</b>
                <code>{reveal(textIn(item, 'section') ?? textIn(item, 'page') ?? '')}</code>
              </p>
              <p>{reveal(textIn(item, 'excerpt') ?? '')}</p>
            </li>
          ))}
        </ul>
      )}
      {items === null && value !== undefined && value !== '' && <Value value={value} />}
    </AnswerFrame>
  );
};

/** A page of the documentation. */
const DocsPage: Render = ({ answer, language, actions }) => {
  const { value } = answer;
  return (
    <AnswerFrame answer={answer} language={language} actions={actions}>
      {typeof value === 'string' && value !== '' && <Markdown text={value} openLink={actions.openLink} />}
      {value !== undefined && typeof value !== 'string' && <Value value={value} />}
    </AnswerFrame>
  );
};

export const faces: FacesOf<Render> = { docs_search: FoundSections, docs_fetch: DocsPage };
