import {
  Badge,
  Button,
  CodeBlock,
  codeOf,
  CopyButton,
  KeyValues,
  Opener,
  Picture,
  useActions,
  useShown,
} from '../kit.tsx';
import { toChildArray, type ComponentChildren } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { readShown, type ShownTool } from '../../../shared/core/tools/shown.ts';
import { Figures } from '../figures.tsx';
import { AnswerFrame, GeneralRender } from '../general-render.tsx';
import { Markdown, TopLevel } from '../markdown.tsx';
import { PageLines } from '../page-text.tsx';
import { RecordTable } from '../record-table.tsx';
import { RunError, RunFacts, RunProgress } from '../run-facts.tsx';
import { revealLines } from '../text.ts';
import { Address, Value } from '../value.tsx';
import { useTexts } from '../words/use-texts.ts';
import type { Block, Blocks, FactValue, Line, Maybe, View, Render } from './face.ts';
import { faceTexts } from '../words/en/faces.ts';

/** Items of a list shown at first. */
const SHOWN = 100;

/** The Render of a tool: its view draws an answer, unless that has another shape and is shown as it is. */
export const face =
  <Tool extends ShownTool>(tool: Tool, view: View<Tool>): Render =>
  ({ call, answer }) => {
    const words = useTexts(faceTexts);
    const actions = useActions();
    const shown = readShown(tool, answer);
    if (shown === null) return <GeneralRender call={call} answer={answer} />;
    return (
      <AnswerFrame answer={answer} showsState={shown.hasState}>
        <BlockList blocks={view({ call, answer, ...shown, words, actions })} />
      </AnswerFrame>
    );
  };

export const BlockList = ({ blocks }: { readonly blocks: Blocks }) => (
  <>{blocks.map((block, at) => block !== false && <OneBlock key={at} block={block} />)}</>
);

function OneBlock({ block }: { readonly block: Block }): ComponentChildren {
  if ('line' in block) return <LineView line={block.line} />;
  if ('facts' in block)
    return <KeyValues rows={block.facts.map(([name, value]) => [name, factOf(name, value)])} />;
  if ('items' in block) return <Items {...block} />;
  if ('table' in block) return <Figures {...block} />;
  if ('part' in block || 'fold' in block) return <Part block={block} />;
  if ('records' in block) return <Records {...block} />;
  if ('run' in block) return <RunFacts {...block} />;
  if ('progress' in block) return <RunProgress {...block} />;
  if ('error' in block) return <RunError {...block} />;
  if ('picture' in block) return <Pictured {...block} />;
  if ('own' in block) return block.own;
  if ('value' in block) return <Value value={block.value} />;
  return <Content block={block} />;
}

type ContentBlock = Extract<Block, Record<'text' | 'as', string> | { note: string }>;

/** Texts, unchanged. */
function Content({ block }: { readonly block: ContentBlock }) {
  if ('note' in block)
    return (
      <p class={block.asks === true ? 'notice' : 'dim'}>
        <bdi>{revealLines(block.note)}</bdi>
      </p>
    );
  const { text, as, label = '' } = block;
  if (as === 'markdown') return <Markdown text={text} />;
  if (as === 'code') return <CodeBlock text={text} label={label} />;
  return <PageLines text={text} label={label} isDiff={as === 'diff'} />;
}

function Records({ records, of }: Extract<Block, { records: unknown }>) {
  const { page } = useActions();
  const { offset = 0, total = offset + records.length } = of ?? {};
  return <RecordTable rows={records} canCopy {...(of && { offset, total })} {...page} />;
}

function factOf(name: string, value: FactValue) {
  if (!isGiven(value)) return null;
  if (typeof value === 'string') return <bdi>{revealLines(value)}</bdi>;
  if ('value' in value) return <Value value={value.value} />;
  if ('code' in value) return codeOf(value.code ?? null);
  if ('url' in value) return isGiven(value.url) ? <Address url={value.url} /> : null;
  return isGiven(value.hash) ? <Hash hash={value.hash} label={name} /> : null;
}

const isGiven = <T extends object | string>(value: Maybe<T>): value is T => value != null && value !== '';

/** A hash shortened to a distinguishing prefix; copying takes all of it. */
const Hash = ({ hash, label }: { readonly hash: string; readonly label: string }) => (
  <span class="together">
    <code class="clip dim tiny" title={reveal(hash)}>
      {reveal(hash)}
    </code>
    <CopyButton text={hash} label={label} />
  </span>
);

function LineView({ line }: { readonly line: Line }) {
  const { title, more, url, text, about, blocks = [], open } = line;
  const id = useId();
  const head = renderLineHead(line, id);
  if (more !== undefined)
    return (
      <details class="c-more-of">
        <summary class="f-title">{head}</summary>
        <Value value={more} />
      </details>
    );
  const inside = <BlockList blocks={blocks} />;
  return (
    <div class={line.isHead === true ? 'f-page' : undefined}>
      {head.length > 0 && <p class="f-title">{head}</p>}
      {isGiven(url) && <Address url={url} />}
      {isGiven(text) && (
        <p class="pre" dir="auto">
          {revealLines(text)}
        </p>
      )}
      {about !== undefined && <LineView line={about} />}
      {open === undefined && inside}
      {open?.is === true && (
        <div class="c-detail" id={id} role="region" aria-label={reveal(title ?? '')}>
          {inside}
        </div>
      )}
    </div>
  );
}

/** @param id of what it opens to */
const renderLineHead = ({ at, title, code, marks = [], quiet = [], end, press, open }: Line, id: string) =>
  toChildArray([
    isGiven(at) && <span class="number">{at}</span>,
    isGiven(title) && open === undefined && <b>{reveal(title)}</b>,
    isGiven(title) && open !== undefined && (
      <Opener id={id} isOpen={open.is} toggle={open.toggle}>
        <bdi class="c-name clip">{reveal(title)}</bdi>
      </Opener>
    ),
    codeOf(code ?? null),
    marks.map((mark) => mark !== false && <Badge tone={mark[0]}>{reveal(mark[1])}</Badge>),
    quiet.map((text) => isGiven(text) && <bdi class="dim">{reveal(text)}</bdi>),
    isGiven(end) && <span class="number end">{end}</span>,
    press && (
      <Button kind="end" aria-label={press.label} onClick={press.do}>
        {press.name}
      </Button>
    ),
  ]);

function Items({ items, as, label }: Extract<Block, { items: unknown }>) {
  const [shown, more] = useShown(items, SHOWN);
  const List = as === undefined ? 'ul' : 'ol';
  return (
    <>
      <List class={as === 'steps' ? 'c-steps marked flow' : 'f-items divided'} aria-label={label}>
        {shown.map((item, at) => (
          <li key={at}>
            <LineView line={item} />
          </li>
        ))}
      </List>
      {more}
    </>
  );
}

function Part({ block }: { readonly block: Extract<Block, { blocks: Blocks }> }) {
  const level = useContext(TopLevel);
  const inside = <BlockList blocks={block.blocks} />;
  if ('fold' in block)
    return (
      <details class="c-part">
        <summary>{block.fold}</summary>
        {inside}
      </details>
    );
  return (
    <section class="f-part">
      <h3 aria-level={level}>{block.part}</h3>
      {inside}
    </section>
  );
}

const Pictured = ({ picture, alt, note }: Extract<Block, { alt: string }>) => (
  <figure>
    <Picture {...picture} alt={alt} />
    {note !== undefined && <figcaption class="quiet">{note}</figcaption>}
  </figure>
);
