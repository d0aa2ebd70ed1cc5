import { Button, CodeBlock, Icon } from './kit.tsx';
import { createContext, Fragment, createElement, type ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatNumber } from './words/format.ts';
import { splitMarkdown } from './markdown-parts.ts';
import { useWords, type ComponentWords } from './words/en/components.ts';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { revealLines, safeHref } from './text.ts';
import { Link } from './value.tsx';

/** Level of a page's highest heading, below those around it. */
export const TopLevel = createContext(3);

interface Props {
  readonly text: string;
  /** Unless it is, a button shows one more part each time. */
  readonly isWhole?: boolean;
}

/**
 * A page's Markdown as elements. HTML is shown as text, links lead only to http and https and open through the actions
 * of the place, and images are replaced by their alternative text.
 */
export function Markdown({ text, isWhole = false }: Props) {
  const words = useWords();
  const parts = useMemo(() => splitMarkdown(text), [text]);
  const [most, setMost] = useState(1);
  const shown = isWhole ? parts.length : Math.min(parts.length, most);
  const newest = useRef<HTMLDivElement>(null);
  const hasMoved = useRef(false);
  useEffect(() => {
    // The pressed button may be gone: the new content takes the focus.
    if (hasMoved.current) newest.current?.focus({ preventScroll: true });
    hasMoved.current = false;
  }, [shown]);
  const total = formatNumber(parts.length);
  return (
    <div class="c-markdown">
      {parts.slice(0, shown).map((part, at) => (
        <div
          key={at}
          ref={at === shown - 1 ? newest : null}
          {...(at === 0
            ? {}
            : {
                tabIndex: -1,
                role: 'group',
                'aria-label': words.part({ number: formatNumber(at + 1), total }),
              })}
        >
          <MarkdownTree text={part} />
        </div>
      ))}
      {shown < parts.length && (
        <Button
          kind="above"
          onClick={() => {
            hasMoved.current = true;
            setMost(shown + 1);
          }}
        >
          {words.showPart({ number: formatNumber(shown + 1), total })}
        </Button>
      )}
    </div>
  );
}

type Extensions = NonNullable<NonNullable<Parameters<typeof fromMarkdown>[1]>['extensions']>;
type Extension = Extract<Extensions[number], { readonly text?: unknown }>;

const OPEN = 91;
const CLOSE = 93;
const LINE = 95;

/** Treats an empty form field (`[____]`) as text: two of them in a paragraph would make the text between them bold. */
const formBlank: Extension = {
  text: {
    [OPEN]: {
      name: 'formBlank',
      add: 'before',
      tokenize: (effects, ok, nok) => {
        let length = 0;
        return (open) => {
          effects.enter('data');
          effects.consume(open);
          return function rest(code) {
            const isLine = code === LINE;
            if (!isLine && (code !== CLOSE || length < 2)) return nok(code);
            effects.consume(code);
            length += 1;
            if (isLine) return rest;
            effects.exit('data');
            return ok;
          };
        };
      },
    },
  },
};

type Root = ReturnType<typeof fromMarkdown>;
type Content = Root['children'][number];
type Of<Type extends Content['type']> = Extract<Content, { type: Type }>;

/** Deeper elements become text. */
const MAX_LEVELS = 40;

interface Place {
  readonly words: ComponentWords;
  readonly topLevel: number;
  /** The level of the last heading: no level is skipped. */
  heading: number;
}

/** One part of a document. */
function MarkdownTree({ text }: Pick<Props, 'text'>) {
  const words = useWords();
  const topLevel = useContext(TopLevel);
  const root = useMemo(() => parse(text), [text]);
  if (root === null) return <p dir="auto">{revealLines(text)}</p>;
  const place: Place = { words, topLevel, heading: topLevel - 1 };
  return <>{all(root.children, place, 0)}</>;
}

/** Emphasis marks in one paragraph: the parser compares each with the ones before it. */
const MAX_MARKS = 2_000;

/** Null for a text with too much nesting or emphasis for the parser. */
function parse(text: string): Root | null {
  if (text.split(/\n[ \t]*\n|\n(?=[ \t]*\|)/).some((part) => part.split(/[*_~]+/).length > MAX_MARKS))
    return null;
  try {
    return fromMarkdown(text, { extensions: [gfm(), formBlank], mdastExtensions: [gfmFromMarkdown()] });
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

const all = (nodes: readonly Content[], place: Place, level: number): ComponentChildren =>
  nodes.map((node, at) => <Fragment key={at}>{draw(node, place, level + 1)}</Fragment>);

/** A block has its own direction, so that its text moves nothing around it. */
function draw(node: Content, place: Place, level: number): ComponentChildren {
  if (level > MAX_LEVELS) return revealLines(textWithin(node));
  const inside = (): ComponentChildren => 'children' in node && all(node.children, place, level);
  switch (node.type) {
    case 'paragraph':
      return <p dir="auto">{inside()}</p>;
    case 'blockquote':
      return <blockquote dir="auto">{inside()}</blockquote>;
    case 'heading':
      place.heading = Math.min(6, node.depth + place.topLevel - 1, place.heading + 1);
      return createElement(`h${place.heading}`, { dir: 'auto' }, inside());
    case 'code':
      return <CodeBlock text={node.value} label={node.lang ?? ''} />;
    case 'list':
      return node.ordered === true ? <ol start={node.start ?? 1}>{inside()}</ol> : <ul>{inside()}</ul>;
    case 'listItem':
      return drawListItem(node, place.words, inside());
    case 'table':
      return drawTable(node, place, level);
    case 'thematicBreak':
      return <hr />;
    case 'definition':
      return null;
    case 'footnoteDefinition':
      return (
        <div class="c-footnote" dir="auto">
          <sup>{revealLines(node.identifier)}</sup>
          {inside()}
        </div>
      );
    default:
      return drawInline(node, place, inside);
  }
}

function drawInline(node: Content, { words }: Place, inside: () => ComponentChildren): ComponentChildren {
  switch (node.type) {
    case 'emphasis':
      return <em>{inside()}</em>;
    case 'strong':
      return <strong>{inside()}</strong>;
    case 'delete':
      return <del>{inside()}</del>;
    case 'break':
      return <br />;
    case 'inlineCode':
      return (
        <code>
          <bdi>{revealLines(node.value)}</bdi>
        </code>
      );
    case 'link': {
      const href = safeHref(node.url);
      const text = <bdi>{inside()}</bdi>;
      return href === null ? text : <Link href={href}>{text}</Link>;
    }
    case 'linkReference':
      return inside();
    case 'image':
    case 'imageReference':
      return drawImage(node.alt ?? '', words);
    case 'footnoteReference':
      return <sup>{revealLines(node.identifier)}</sup>;
    default:
      // Text; HTML counts as text.
      return revealLines(textWithin(node));
  }
}

function drawListItem(item: Of<'listItem'>, words: ComponentWords, inside: ComponentChildren) {
  const { checked, spread } = item;
  return (
    <li dir="auto" class={spread === true ? undefined : 'tight'}>
      {typeof checked === 'boolean' && (
        <span class="c-task" role="img" aria-label={checked ? words.checked : words.unchecked}>
          <Icon name={checked ? 'done' : 'toDo'} />
        </span>
      )}
      {inside}
    </li>
  );
}

function drawTable({ align, children }: Of<'table'>, place: Place, level: number) {
  const [head, ...body] = children;
  const cells = (row: (typeof children)[number], tag: 'th' | 'td'): ComponentChildren =>
    row.children.map((cell, at) =>
      createElement(
        tag,
        { key: at, dir: 'auto', class: align?.[at] ?? undefined, ...(tag === 'th' ? { scope: 'col' } : {}) },
        all(cell.children, place, level + 2),
      ),
    );
  const rows = body.map((row) => <tr>{cells(row, 'td')}</tr>);
  return (
    <div class="c-scroll" tabIndex={0} role="group" aria-label={place.words.table}>
      <table>
        <thead>{head !== undefined && <tr>{cells(head, 'th')}</tr>}</thead>
        <tbody>{rows}</tbody>
      </table>
    </div>
  );
}

/** Replaces an image: a page's images are not loaded. */
const drawImage = (alt: string, words: ComponentWords) => (
  <span class="c-chip dim">
    <Icon name="picture" size={12} />
    <bdi>{alt.trim() === '' ? words.picture : revealLines(alt)}</bdi>
  </span>
);

/** All text within a node, without recursion: nesting may be as deep as the text is long. */
function textWithin(node: Content): string {
  const texts: string[] = [];
  const left: Content[] = [node];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if ('value' in next) texts.push(next.value);
    if ('children' in next) left.push(...next.children.toReversed());
  }
  return texts.join(' ');
}
