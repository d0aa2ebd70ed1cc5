import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { isObject, type JsonValue } from '../../../../shared/json.ts';
import { formatAddress, formatBytes, formatCount, safeHref } from '../model/format.ts';

type OpenLink = ((href: string) => void) | null;

interface Props {
  readonly value: JsonValue;
  readonly openLink: OpenLink;
}

/** What is shown at first of a long text and of a long list. */
const SHOWN_CHARACTERS = 1_500;
const SHOWN_ENTRIES = 8;

/** Any value, in full: records by field, texts as they are, addresses as links. */
export function Value({ value, openLink }: Props): JSX.Element {
  if (value === null) return <span class="quiet">null</span>;
  if (typeof value === 'string') return <Text text={value} openLink={openLink} />;
  if (typeof value !== 'object') return <code>{String(value)}</code>;
  if (isObject(value)) return <Fields value={value} openLink={openLink} />;
  return <List values={value} openLink={openLink} />;
}

function Fields({
  value,
  openLink,
}: {
  readonly value: JsonValue;
  readonly openLink: OpenLink;
}): JSX.Element {
  const entries = isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) return <span class="quiet">empty</span>;
  return (
    <dl class="fields">
      {entries.map(([key, entry]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>{entry === undefined ? null : <Value value={entry} openLink={openLink} />}</dd>
        </div>
      ))}
    </dl>
  );
}

function List({
  values,
  openLink,
}: {
  readonly values: readonly JsonValue[];
  readonly openLink: OpenLink;
}): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  if (values.length === 0) return <span class="quiet">none</span>;
  const shown = isWhole ? values : values.slice(0, SHOWN_ENTRIES);
  return (
    <>
      <ul class="list">
        {shown.map((value, index) => (
          <li key={index}>
            <Value value={value} openLink={openLink} />
          </li>
        ))}
      </ul>
      {shown.length < values.length && (
        <More label={`All ${formatCount(values.length)}`} onClick={() => setWhole(true)} />
      )}
    </>
  );
}

function Text({ text, openLink }: { readonly text: string; readonly openLink: OpenLink }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const href = safeHref(text);
  if (href !== null) return <Link href={href} openLink={openLink} />;
  if (text === '') return <span class="quiet">empty</span>;
  if (text.length <= 200 && !text.includes('\n')) return <span class="words">{text}</span>;
  const shown = isWhole ? text : text.slice(0, SHOWN_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
  return (
    <>
      <pre class="text" tabIndex={0} role="group" aria-label="Text">
        {shown}
      </pre>
      {shown.length < text.length && (
        <More label={`Show all, ${formatBytes(text.length)}`} onClick={() => setWhole(true)} />
      )}
    </>
  );
}

const More = ({ label, onClick }: { readonly label: string; readonly onClick: () => void }): JSX.Element => (
  <button type="button" class="small more" onClick={onClick}>
    {label}
  </button>
);

/** Opened by the host alone: the widget goes nowhere. */
export function Link(props: { readonly href: string; readonly openLink: OpenLink }): JSX.Element {
  const { href, openLink } = props;
  const address = formatAddress(href);
  if (openLink === null) return <span class="address">{address}</span>;
  return (
    <a
      class="address"
      href={href}
      rel="noreferrer"
      title={href}
      onClick={(event) => {
        event.preventDefault();
        openLink(href);
      }}
      onAuxClick={(event) => event.preventDefault()}
    >
      {address}
    </a>
  );
}
