import type { JSX } from 'preact';
import { reveal } from '../../../../shared/policy/reveal.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import { Badge } from '../../components/badge.tsx';
import { isSet, listIn, asRecord, textIn, textsIn } from '../../components/read-json.ts';
import { Value } from '../../components/value.tsx';
import type { FacesOf, Render } from '../face.ts';
import { words, type FindToolsWords } from './words.ts';

/** The tools that fit, those that were added, and names that are of no tool. */
const FoundTools: Render = ({ answer, language, actions }) => {
  const { value } = answer;
  const { inspector } = words[language];
  const matches = listIn(value, 'matches');
  const tools = listIn(value, 'tools');
  const problems = listIn(value, 'problems');
  const added = textsIn(value, 'added');
  const isKnown = matches.length + tools.length + problems.length + added.length > 0;
  return (
    <AnswerFrame answer={answer} language={language} actions={actions}>
      {added.length > 0 && (
        <section class="f-part">
          <h3>{inspector.added}</h3>
          <p class="f-title">
            {added.map((name) => (
              <Badge key={name} tone="good">
                {reveal(name)}
              </Badge>
            ))}
          </p>
        </section>
      )}
      <Tools title={inspector.matches} tools={matches} words={inspector} />
      <Tools title={inspector.selected} tools={tools} words={inspector} />
      {problems.length > 0 && (
        <ul class="f-items">
          {problems.map((problem, at) => (
            <li key={at}>
              <code>{reveal(textIn(problem, 'name') ?? '')}</code>{' '}
              <bdi>{reveal(textIn(asRecord(problem)['error'], 'message') ?? '')}</bdi>
            </li>
          ))}
        </ul>
      )}
      {!isKnown && answer.ok && value !== undefined && <p class="c-quiet">{inspector.nothing}</p>}
      {typeof value === 'string' && value !== '' && <Value value={value} />}
    </AnswerFrame>
  );
};

interface ToolsProps {
  readonly title: string;
  readonly tools: readonly JsonValue[];
  readonly words: FindToolsWords;
}

function Tools({ title, tools, words: said }: ToolsProps): JSX.Element | null {
  if (tools.length === 0) return null;
  return (
    <section class="f-part">
      <h3>{title}</h3>
      <ul class="f-items">
        {tools.map((tool, at) => (
          <li key={at}>
            <p class="f-title">
              <code>{reveal(textIn(tool, 'name') ?? '')}</code>
              {isSet(tool, 'listed') && <Badge>{said.listed}</Badge>}
            </p>
            <p>
              <bdi>{reveal(textIn(tool, 'description') ?? '')}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

export const faces: FacesOf<Render> = { find_tools: FoundTools };
