import { faceTexts } from '../words/faces.ts';
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type JsonObject, isObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatNumber } from '../../../words/format.ts';
import type { Language } from '../../../words/languages.ts';
import { Badge, Icon, Skeleton } from '../../components/marks.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { AnswerFrame, GeneralRender } from '../../components/general-render.tsx';
import { asNumber, asRecords, asText, textIn, textsIn } from '../../components/read-json.ts';
import { RunFacts, isRun } from '../../components/run-facts.tsx';
import type { FaceActions, RecipeShelf, Render } from '../face.ts';
import { RecipeDetails } from './recipe-details.tsx';

interface Place {
  readonly language: Language;
  readonly actions: FaceActions;
}

/** Recipes as cards, with a search where one can search. */
export const Recipes: Render = ({ answer, ...place }) => {
  const { recipes: shelf } = place.actions;
  const value = shelf?.found ?? answer.value;
  return (
    <AnswerFrame answer={answer} {...place}>
      {shelf !== null && answer.ok && <Search shelf={shelf} {...place} />}
      {isObject(value) && <Cards value={value} {...place} />}
      {typeof value === 'string' && value !== '' && <CodeBlock text={value} />}
    </AnswerFrame>
  );
};

function Search({ shelf, language }: Place & { readonly shelf: RecipeShelf }): JSX.Element {
  const words = faceTexts[language].recipes;
  const [query, setQuery] = useState('');
  const search = (): void => {
    if (!shelf.isBusy) shelf.search(query.trim());
  };
  // No form: hosts keep the frames of widgets from submitting any.
  return (
    <div class="c-seek" role="search">
      <input
        type="search"
        class="c-filter"
        aria-label={words.search}
        placeholder={words.search}
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Enter' && search()}
      />
      <button type="button" class="c-button" aria-disabled={shelf.isBusy} onClick={search}>
        <Icon name="search" />
        {shelf.isBusy ? words.searching : words.searchButton}
      </button>
    </div>
  );
}

function Cards({ value, language, actions }: Place & { readonly value: JsonObject }): JSX.Element {
  const words = faceTexts[language].recipes;
  const recipes = asRecords(value['recipes']);
  const total = asNumber(value['total']) ?? recipes.length;
  const problems = asRecords(value['problems']);
  const query = actions.recipes?.query ?? '';
  return (
    <>
      {recipes.length === 0 && (
        <p class="c-empty" role="status">
          {query === '' ? words.none : words.noMatch(reveal(query))}
        </p>
      )}
      {recipes.length > 0 && (
        <>
          <p class="c-hint" role="status">
            {recipes.length < total
              ? words.shownOf(formatNumber(recipes.length), formatNumber(total))
              : words.found(total, formatNumber(total))}
          </p>
          <ul class="c-lines" aria-label={words.list}>
            {recipes.map((recipe) => (
              <Card key={textIn(recipe, 'name')} recipe={recipe} language={language} actions={actions} />
            ))}
          </ul>
        </>
      )}
      {problems.length > 0 && (
        <section class="f-part">
          <h3>{words.skipped}</h3>
          <ul class="f-items">
            {problems.map((problem, at) => (
              <li key={at}>
                <code>{reveal(textIn(problem, 'file') ?? '')}</code>{' '}
                <bdi>{reveal(textIn(problem, 'problem') ?? '')}</bdi>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Card({ recipe, language, actions }: Place & { readonly recipe: JsonObject }): JSX.Element {
  const words = faceTexts[language].recipes;
  const { recipes: shelf } = actions;
  const detailId = useId();
  const name = textIn(recipe, 'name') ?? '';
  const title = reveal(textIn(recipe, 'title') ?? name);
  const steps = asNumber(recipe['steps']);
  const isOpen = shelf?.opened.has(name) === true;
  return (
    <li class="c-recipe">
      <div class="c-head">
        {shelf === null ? (
          <b>{title}</b>
        ) : (
          <button
            type="button"
            class="c-opener"
            aria-expanded={isOpen}
            {...(isOpen ? { 'aria-controls': detailId } : {})}
            onClick={() => shelf.toggle(name)}
          >
            <Icon name="closed" />
            <bdi class="c-name">{title}</bdi>
          </button>
        )}
      </div>
      <p dir="auto">{reveal(textIn(recipe, 'description') ?? '')}</p>
      <p class="f-title">
        <code class="c-quiet">{reveal(name)}</code>
        {steps !== null && <span class="c-quiet">{words.steps(steps, formatNumber(steps))}</span>}
        {textsIn(recipe, 'parameters').map((parameter) => (
          <Badge key={parameter}>{reveal(parameter)}</Badge>
        ))}
      </p>
      {isOpen && (
        <div class="c-detail" id={detailId} role="region" aria-label={title}>
          <Opened recipe={shelf.opened.get(name) ?? null} language={language} actions={actions} />
        </div>
      )}
    </li>
  );
}

function Opened({
  recipe,
  language,
  actions: { openLink },
}: Place & { readonly recipe: JsonObject | null }): JSX.Element {
  const words = faceTexts[language].recipes;
  if (recipe === null) return <Skeleton lines={4} label={words.reading} />;
  return (
    <>
      <RecipeDetails recipe={recipe} words={words} openLink={openLink} />
      <p class="c-hint">{words.toRun}</p>
    </>
  );
}

/** All of one recipe. */
export const Recipe: Render = ({ answer, ...place }) => {
  const { value } = answer;
  const { openLink, recipes: shelf } = place.actions;
  const words = faceTexts[place.language].recipes;
  const name = textIn(value, 'name');
  const recipe = (name === null ? null : shelf?.opened.get(name)) ?? value;
  return (
    <AnswerFrame answer={answer} {...place}>
      {isObject(recipe) && name !== null && (
        <>
          <p class="f-title f-page">
            <b>{reveal(asText(recipe['title']) ?? name)}</b>
            <code class="c-quiet">{reveal(name)}</code>
          </p>
          <p dir="auto">{reveal(asText(recipe['description']) ?? '')}</p>
          <RecipeDetails recipe={recipe} words={words} openLink={openLink} />
          {shelf !== null && <p class="c-hint">{words.toRun}</p>}
        </>
      )}
    </AnswerFrame>
  );
};

/** What a recipe answered, or the run that does it. */
export const Run: Render = (props) => {
  const { answer, call, ...place } = props;
  const run = isObject(answer.value) ? answer.value : answer.state;
  if (!isRun(run)) return <GeneralRender {...props} />;
  return (
    <AnswerFrame answer={answer} {...place} showsState>
      <RunFacts run={run} call={call} {...place} />
    </AnswerFrame>
  );
};

/** What was saved: its parameters, and its steps as they are written. */
export const Saved: Render = ({ answer, ...place }) => {
  const { value } = answer;
  const words = faceTexts[place.language].recipes;
  const name = textIn(value, 'saved');
  return (
    <AnswerFrame answer={answer} {...place}>
      {isObject(value) && name !== null && (
        <>
          <p class="f-title">
            <Badge tone="good">{words.saved}</Badge>
            <code>{reveal(name)}</code>
          </p>
          <RecipeDetails recipe={value} words={words} openLink={place.actions.openLink} />
          <section class="f-part">
            <h3>{words.stepsTitle}</h3>
            <ol class="c-steps">
              {textsIn(value, 'steps').map((step) => (
                <li key={step}>
                  <code>{reveal(step)}</code>
                </li>
              ))}
            </ol>
          </section>
        </>
      )}
    </AnswerFrame>
  );
};

export const Deleted: Render = ({ answer, ...place }) => {
  const name = textIn(answer.value, 'deleted');
  return (
    <AnswerFrame answer={answer} {...place}>
      {name !== null && (
        <p class="f-title">
          <Badge tone="off">{faceTexts[place.language].recipes.deleted}</Badge>
          <code>{reveal(name)}</code>
        </p>
      )}
    </AnswerFrame>
  );
};
