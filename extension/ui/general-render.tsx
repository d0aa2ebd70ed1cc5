import { Button, useActions, CodeBlock, KeyValues, Picture, theirs } from './kit.tsx';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { NOTES, wordNote } from '../../shared/core/notes.ts';
import { reveal } from '../../shared/core/policy/reveal.ts';
import { formatNumber, formatSize } from './words/format.ts';
import type { FaceAnswer, Render } from './faces/face.ts';
import { momentOf } from './shown.ts';
import { revealLines } from './text.ts';
import { Value } from './value.tsx';
import { useWords } from './words/en/components.ts';
import { catalogue } from './words/catalogue.ts';
import { useTexts } from './words/use-texts.ts';
import { isJsonList } from '../../shared/base/json.ts';
import { RecordTable } from './record-table.tsx';

interface Props {
  readonly answer: FaceAnswer;
  /** The result itself shows the state of a failed call. */
  readonly showsState?: boolean;
  readonly children?: ComponentChildren;
}

/** The error and its hint, omissions, and where the rest is. Never blank. */
export function AnswerFrame({ answer, showsState = false, children }: Props) {
  const words = useWords();
  const { error, state, stored, notes, value } = answer;
  const [content, isBlank] = useBlank();
  const hasState = !answer.ok && !showsState && Object.keys(state).length > 0;
  const isEmpty = isNothing(value);
  return (
    <div class="f-face">
      {error !== null && <ErrorView error={error} />}
      <div class="f-face f-content" ref={content}>
        {children}
      </div>
      {isBlank && !isEmpty && <Value value={value ?? null} />}
      {hasState && (
        <section class="f-part">
          <h3>{words.state}</h3>
          <Value value={state} />
        </section>
      )}
      {stored !== null && <StoredView {...stored} />}
      {isBlank && isEmpty && stored === null && error === null && <p class="dim">{words.noAnswer}</p>}
      {notes.length > 0 && (
        <section class="f-part">
          <h3>{words.notes}</h3>
          <Notes notes={notes} />
        </section>
      )}
    </div>
  );
}

/** Notes of servers, by name. */
export const noteTexts = catalogue('notes', NOTES);

type NotesProps = { readonly notes: readonly string[]; readonly isBad?: boolean };

export function Notes({ notes, isBad = false }: NotesProps) {
  const templates: Readonly<Record<string, string>> = useTexts(noteTexts);
  const lines = notes.map((note) => (
    <li>{theirs(wordNote(note, (name, english) => templates[name] ?? english))}</li>
  ));
  return <ul class={`marked quiet ${isBad ? 'bad' : ''}`}>{lines}</ul>;
}

const isNothing = (value: FaceAnswer['value']): boolean =>
  value === undefined || (typeof value === 'string' && value.trim() === '');

/** Whether an element shows nothing: a tool may have answered something that its face does not know. */
function useBlank(): readonly [content: { current: HTMLDivElement | null }, isBlank: boolean] {
  const content = useRef<HTMLDivElement>(null);
  const [isBlank, setBlank] = useState(false);
  useLayoutEffect(() => {
    const shown = content.current;
    // `innerText` omits collapsed text: a line that nobody can read counts as blank too.
    setBlank(shown !== null && shown.innerText.trim() === '' && shown.querySelector('img') === null);
  });
  return [content, isBlank];
}

function ErrorView({ error }: { readonly error: NonNullable<FaceAnswer['error']> }) {
  const words = useWords();
  return (
    <section class="f-part f-error">
      <p>
        <code>{reveal(error.code)}</code> <bdi>{revealLines(error.message)}</bdi>
      </p>
      {error.hint !== null && (
        <p>
          <b>{words.hint}</b> <bdi>{revealLines(error.hint)}</bdi>
        </p>
      )}
      {error.body !== undefined && error.body !== null && (
        <>
          <h3>{words.body}</h3>
          <Value value={error.body} />
        </>
      )}
    </section>
  );
}

function StoredView({ handle, preview, ...stored }: NonNullable<FaceAnswer['stored']>) {
  const words = useWords();
  const { openOutput } = useActions();
  return (
    <section class="f-part">
      <KeyValues
        rows={[
          [words.storedAs, <code>{reveal(handle)}</code>],
          [words.type, <bdi>{reveal(stored.mime_type)}</bdi>],
          [words.size, formatSize(stored.size_bytes)],
          [words.items, stored.item_count === null ? null : formatNumber(stored.item_count)],
          [words.keptUntil, momentOf(stored.expires_at)],
        ]}
      />
      {openOutput !== null && <Button onClick={() => openOutput(handle)}>{words.open}</Button>}
      {preview !== null && preview !== '' && <CodeBlock text={preview} label={words.preview} />}
    </section>
  );
}

/** Any result: a list as a table, other JSON as a tree, text unchanged, a picture, a stored output, an error. */
export const GeneralRender: Render = ({ answer }) => {
  const words = useWords();
  const { page } = useActions();
  const { value, picture } = answer;
  const isTable = isJsonList(value) && value.length > 0;
  return (
    <AnswerFrame answer={answer}>
      {picture !== null && <Picture {...picture} alt={words.returned} />}
      {typeof value === 'string' && value !== '' && <CodeBlock text={value} />}
      {isTable && <RecordTable rows={value} canCopy {...page} />}
      {value !== undefined && typeof value !== 'string' && !isTable && <Value value={value} />}
    </AnswerFrame>
  );
};

/** The same in full, and as copyable JSON. */
export const GeneralPortal: Render = (props) => {
  const words = useWords();
  const { value } = props.answer;
  return (
    <>
      <GeneralRender {...props} />
      {value !== undefined && typeof value !== 'string' && (
        <CodeBlock text={JSON.stringify(value, null, 2)} label={words.json} />
      )}
    </>
  );
};
