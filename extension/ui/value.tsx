import { theirs, useActions, useShown, useWhole } from './kit.tsx';
import type { ComponentChildren } from 'preact';
import { reveal } from '../../shared/core/policy/reveal.ts';
import { isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { formatAddress, revealLines, safeHref, startOf } from './text.ts';
import { useWords } from './words/en/components.ts';

interface ValueProps<T> {
  readonly value: T;
  /** Levels around it. */
  readonly depth?: number;
}

const SHOWN_CHARACTERS = 1_500;
const SHOWN_ENTRIES = 8;
const SHOWN_FIELDS = 60;
const MAX_LEVELS = 12;

/** Any value in full: records by field, texts unchanged, addresses as links. */
export function Value({ value, depth = 0 }: ValueProps<JsonValue>) {
  const words = useWords();
  if (value === null) return <span class="dim">{words.null}</span>;
  if (typeof value === 'string') return <Text text={value} />;
  if (typeof value !== 'object') return <code>{String(value)}</code>;
  if (depth >= MAX_LEVELS) return <Text text={JSON.stringify(value)} />;
  return <Members value={value} depth={depth + 1} />;
}

/** The members of an object, or the items of a list. */
function Members({ value, depth }: Required<ValueProps<JsonObject | readonly JsonValue[]>>) {
  const words = useWords();
  const isRecord = isObject(value);
  const [shown, more] = useShown(Object.entries(value), isRecord ? SHOWN_FIELDS : SHOWN_ENTRIES);
  if (shown.length === 0) return <span class="dim">{isRecord ? words.empty : words.none}</span>;
  const inside = shown.map(([key, entry]) => {
    const content = entry !== undefined && <Value value={entry} depth={depth} />;
    return isRecord ? (
      <div key={key}>
        <dt>{theirs(key)}</dt>
        <dd>{content}</dd>
      </div>
    ) : (
      <li key={key}>{content}</li>
    );
  });
  return (
    <>
      {isRecord ? <dl class="c-fields">{inside}</dl> : <ul>{inside}</ul>}
      {more}
    </>
  );
}

function Text({ text }: { readonly text: string }) {
  const words = useWords();
  const [isWhole, more] = useWhole(text, { kind: 'above' });
  const href = safeHref(text);
  if (href !== null) return <Link href={href} />;
  if (text === '') return <span class="dim">{words.empty}</span>;
  if (text.length <= 200 && !text.includes('\n')) return <bdi>{reveal(text)}</bdi>;
  const shown = isWhole ? text : startOf(text, SHOWN_CHARACTERS);
  return (
    <>
      <pre class="well" tabIndex={0} role="group" aria-label={words.text} dir="auto">
        {revealLines(shown)}
      </pre>
      {shown.length < text.length && more}
    </>
  );
}

type LinkProps = { readonly href: string; readonly children?: ComponentChildren };

/**
 * A link that the place itself opens: the document does not navigate.
 * @param href an address that `safeHref` has accepted; shown if there is nothing else
 */
export function Link({ href, children }: LinkProps) {
  const { openLink } = useActions();
  const shown = {
    class: children === undefined ? 'c-address clip' : undefined,
    title: reveal(href),
    children: children ?? <bdi>{reveal(formatAddress(href))}</bdi>,
  };
  if (openLink === null) return <span {...shown} />;
  return (
    <a
      {...shown}
      href={href}
      rel="noreferrer"
      onClick={(event) => {
        event.preventDefault();
        openLink(href);
      }}
      onAuxClick={(event) => event.preventDefault()}
    />
  );
}

/** An address, as a link if it is one of the web. */
export function Address({ url }: { readonly url: string }) {
  const href = safeHref(url);
  return href === null ? <bdi>{reveal(url)}</bdi> : <Link href={href} />;
}
