import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { revealParts, type Revealed } from './reveal-parts.ts';
import { useCardWords } from './words/en/card.ts';
import type { Sentence } from './words/sentence.ts';

/** A longer text needs a box of its own. */
const BOX_UNITS = 300;
/** A longer one fills several boxes. */
const LONG_UNITS = 2_000;
/** Nobody writes a longer line by hand. */
const LINE_UNITS = 500;
const PLAIN_NAME = /^[\w.@/-]{1,30}(?: [\w.@/-]{1,20})?$/;
/** A word with letters of alphabets that look like each other. */
const MIXED_WORD =
  /\p{Script=Latin}[\w$]*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}][\w$]*\p{Script=Latin}/u;

export type QuoteWarning = 'long' | 'minified' | 'unseen' | 'gap' | 'mixed';

/** Why a person could miss a part of a text. */
export function warningsOf(text: string, parts: readonly Revealed[]): readonly QuoteWarning[] {
  const has: Readonly<Record<QuoteWarning, boolean>> = {
    long: text.length > LONG_UNITS,
    minified: text.split('\n').some(({ length }) => length > LINE_UNITS),
    unseen: parts.some(({ mark }) => mark === 'unseen'),
    gap: parts.some(({ mark }) => mark === 'gap'),
    mixed: MIXED_WORD.test(text),
  };
  return (['long', 'minified', 'unseen', 'gap', 'mixed'] as const).filter((one) => has[one]);
}

/** Passages of another site, which texts within show as such. */
export const Marks = createContext<readonly string[]>([]);

function Marked({ text, marks }: { readonly text: string; readonly marks: readonly string[] }) {
  const found = marks.flatMap((mark) => {
    const start = text.indexOf(mark);
    return start < 0 ? [] : [{ start, end: start + mark.length }];
  });
  let from = 0;
  const parts = found
    .toSorted((one, other) => one.start - other.start)
    .flatMap(({ start, end }) => {
      if (start < from) return [];
      const shown = [text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>];
      from = end;
      return shown;
    });
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  );
}

/**
 * A text of an agent or a page. It cannot affect the text around it, nothing in it is hidden, and all of it can be
 * scrolled to; under a box is its size, with a warning about what makes it hard to read.
 */
export function Quoted({ text }: { readonly text: string }) {
  const { quoted: words } = useCardWords();
  const isBlock = text.includes('\n') || text.length > BOX_UNITS;
  const parts = revealParts(text);
  const marks = useContext(Marks);
  const shown = parts.map(({ shown: part, mark }, at) =>
    mark === null ? (
      <Marked key={at} text={part} marks={marks} />
    ) : (
      <span key={at} class={`mark-${mark}`}>
        {part}
      </span>
    ),
  );
  if (!isBlock)
    return (
      <bdi class="quoted" dir="auto">
        {shown}
      </bdi>
    );
  const warnings = warningsOf(text, parts);
  return (
    <>
      {/* A long text scrolls in its box, or it would push the text after it out of sight. */}
      <bdi class="quoted block" dir="auto" tabIndex={0}>
        {shown}
      </bdi>
      {(text.length > BOX_UNITS || warnings.length > 0) && (
        <span class="quiet own-line">
          {words.size({ characters: text.length, count: text.split('\n').length })}
          {warnings.map((one) => (
            <b key={one} class="bad">
              {' '}
              {words[one]}
            </b>
          ))}
        </span>
      )}
    </>
  );
}

/** In a box like other texts of agents, unless it is as short and plain as a name. */
export const AgentText = ({ text }: { readonly text: string }) => (
  <span class={PLAIN_NAME.test(text) && !/spillway/i.test(text) ? 'plain-name' : undefined}>
    <Quoted text={text} />
  </span>
);

export const SentenceView = ({ sentence }: { readonly sentence: Sentence }) => (
  <>{sentence.map((part, at) => (typeof part === 'string' ? part : <Quoted key={at} text={part.quote} />))}</>
);

/** Arguments by name, each in full. */
export const QuotedRows = ({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, text: string])[];
}) => (
  <dl class="quoted-rows">
    {rows.map(([name, text]) => (
      <div key={name}>
        <dt>
          <Quoted text={name} />
        </dt>
        <dd>
          <Quoted text={text} />
        </dd>
      </div>
    ))}
  </dl>
);
