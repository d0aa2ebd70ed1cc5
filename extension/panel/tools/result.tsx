import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { reveal } from '../../../shared/policy/reveal.ts';
import { formatNumber } from '../../words/format.ts';
import type { Language } from '../../words/languages.ts';
import { Badge } from '../components/marks.tsx';
import { CodeBlock } from '../components/code-block.tsx';
import { AnswerFrame } from '../components/general-render.tsx';
import { KeyValues } from '../components/key-values.tsx';
import { Markdown } from '../components/markdown.tsx';
import { PageHead } from '../components/page-head.tsx';
import { PageLines } from '../components/page-lines.tsx';
import { Picture } from '../components/picture.tsx';
import { asRecord, itemsOf, textIn } from '../components/read-json.ts';
import type { OpenLink } from '../components/text.ts';
import { Value } from '../components/value.tsx';
import { useWords } from '../components/words.ts';
import type { FaceAnswer, Render } from './face.ts';
import type { AnyWords, ListItem, Mark, Result } from './row.ts';

/** Items of a list that are shown at first. */
const SHOWN = 100;

/** The Render of a tool by its row. */
export const resultOf =
  (result: Result, wordsIn: (language: Language) => AnyWords): Render =>
  ({ answer, language, actions }) => {
    const isState = result.from === 'state';
    const facts = isState ? answer.state : asRecord(answer.value);
    const props: PartProps = {
      result,
      facts,
      answer,
      words: wordsIn(language),
      openLink: actions.openLink,
    };
    return (
      <AnswerFrame answer={answer} language={language} actions={actions} showsState={isState}>
        <Head {...props} />
        <Facts {...props} />
        <Pictured {...props} />
        <Lists {...props} />
        <Content {...props} />
      </AnswerFrame>
    );
  };

interface PartProps {
  readonly result: Result;
  readonly facts: JsonObject;
  readonly answer: FaceAnswer;
  readonly words: AnyWords;
  readonly openLink: OpenLink;
}

/** What words have under a name. */
const textOf = (words: AnyWords, name: string | undefined): string =>
  name === undefined ? '' : String(words[name]);

const Marks = ({ marks }: { readonly marks: readonly Mark[] }): JSX.Element => (
  <>
    {marks.map(([tone, text]) =>
      tone === 'quiet' ? (
        <span key={text} class="c-quiet">
          {text}
        </span>
      ) : (
        <Badge key={text} tone={tone}>
          {text}
        </Badge>
      ),
    )}
  </>
);

/** Which page it is about, and how it went. */
function Head({ result, facts, words, openLink }: PartProps): JSX.Element {
  const { title = 'title', notice = '' } = result;
  const marks = result.marks?.(facts, words) ?? [];
  const problem = textIn(facts, notice);
  return (
    <>
      <PageHead
        title={title === null ? null : textIn(facts, title)}
        url={textIn(facts, 'url')}
        openLink={openLink}
      >
        {marks.length > 0 ? <Marks marks={marks} /> : undefined}
      </PageHead>
      {problem !== null && (
        <p class="f-notice asks">
          <bdi>{reveal(problem)}</bdi>
        </p>
      )}
    </>
  );
}

function Facts({ result, facts, words }: PartProps): JSX.Element {
  const rows = result.facts?.(facts, words) ?? [];
  const { member = '', title } = result.folded ?? {};
  const folded = Object.entries(asRecord(facts[member]));
  return (
    <>
      {rows.length > 0 && (
        <KeyValues rows={rows.map(([name, value]) => [name, <bdi>{reveal(value)}</bdi>])} />
      )}
      {folded.length > 0 && (
        <details>
          <summary>{textOf(words, title)}</summary>
          <KeyValues
            rows={folded.map(([name, value]) => [
              <code>{reveal(name)}</code>,
              <bdi>{reveal(String(value))}</bdi>,
            ])}
          />
        </details>
      )}
    </>
  );
}

function Pictured({ result: { picture: wanted }, answer, words }: PartProps): JSX.Element | null {
  const { picture } = answer;
  if (picture === null || wanted === undefined) return null;
  const drawn = <Picture {...picture} alt={textOf(words, wanted.alt)} />;
  if (wanted.note === undefined) return drawn;
  return (
    <figure class="f-picture">
      {drawn}
      <figcaption class="c-quiet">{textOf(words, wanted.note)}</figcaption>
    </figure>
  );
}

function Lists({ result, facts, answer: { value }, words, openLink }: PartProps): JSX.Element {
  const lists = (result.lists ?? []).map((list) => ({
    ...list,
    items: list.member === null ? itemsOf(value) : itemsOf(facts[list.member]),
  }));
  const isEmpty =
    result.empty !== undefined &&
    lists.some(({ items }) => items !== null) &&
    lists.every(({ items }) => items === null || items.length === 0);
  return (
    <>
      {lists.map(
        ({ items, title, item, isOrdered = false, member }) =>
          items !== null &&
          items.length > 0 && (
            <section key={member} class="f-part">
              {title !== undefined && <h3>{title(facts, words)}</h3>}
              <Items items={items.map((one) => item(one, words))} isOrdered={isOrdered} openLink={openLink} />
            </section>
          ),
      )}
      {isEmpty && <p class="c-quiet">{textOf(words, result.empty)}</p>}
    </>
  );
}

interface ItemsProps {
  readonly items: readonly ListItem[];
  readonly isOrdered: boolean;
  readonly openLink: OpenLink;
}

function Items({ items, isOrdered, openLink }: ItemsProps): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const { all } = useWords();
  const shown = isWhole ? items : items.slice(0, SHOWN);
  const List = isOrdered ? 'ol' : 'ul';
  return (
    <>
      <List class="f-items">
        {shown.map((item, at) => (
          <li key={at}>
            <Item item={item} openLink={openLink} />
          </li>
        ))}
      </List>
      {shown.length < items.length && (
        <button type="button" class="c-button" onClick={() => setWhole(true)}>
          {all(formatNumber(items.length))}
        </button>
      )}
    </>
  );
}

function Item({ item, openLink }: { readonly item: ListItem; readonly openLink: OpenLink }): JSX.Element {
  const { title = null, code = null, quiet, marks = [], url = null, text = null } = item;
  return (
    <>
      <PageHead title={title} url={url} openLink={openLink}>
        {code !== null && <code>{reveal(code)}</code>}
        <Marks marks={marks} />
        {quiet !== undefined && <bdi>{reveal(quiet)}</bdi>}
      </PageHead>
      {text !== null && (
        <p>
          <bdi>{reveal(text)}</bdi>
        </p>
      )}
    </>
  );
}

/** The value, where it is more than facts. */
function Content({ result, facts, answer: { value }, words, openLink }: PartProps): JSX.Element | null {
  if (value === undefined || value === '') return null;
  const wanted = result.text?.(facts);
  if (typeof value === 'string' && wanted !== undefined) {
    const label = textOf(words, wanted.label);
    if (wanted.as === 'markdown') return <Markdown text={value} openLink={openLink} />;
    return wanted.as === 'lines' ? (
      <PageLines text={value} label={label} />
    ) : (
      <CodeBlock text={value} label={label} />
    );
  }
  return isKnown(result, value) ? null : <Value value={value} openLink={openLink} />;
}

/** Whether the facts of a result are its value. */
const isKnown = (result: Result, value: JsonValue): boolean =>
  result.from === 'value' && (isObject(value) || Array.isArray(value));
