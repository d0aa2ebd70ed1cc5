import { builtins } from '../words/words.ts';
import type { ToolWords } from '../words/en.ts';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonValue } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatNumber, formatTime } from '../../../words/format.ts';
import { Badge, type Tone } from '../../components/marks.tsx';
import { AnswerFrame } from '../../components/general-render.tsx';
import { itemsOf, textIn, textsIn } from '../../components/read-json.ts';
import { revealLines } from '../../components/text.ts';
import { Value } from '../../components/value.tsx';
import { useWords } from '../../components/words.ts';
import type { Render } from '../face.ts';

/** Messages that are shown at first. */
const SHOWN = 100;
const TONES: Readonly<Record<string, Tone>> = { error: 'bad', warning: 'wait', info: 'busy' };

/** What a page has said, oldest first. */
export const Messages: Render = ({ answer, language, actions }) => {
  const { value } = answer;
  const { inspector } = builtins[language].console;
  const items = itemsOf(value);
  return (
    <AnswerFrame answer={answer} language={language} actions={actions}>
      {items !== null && items.length === 0 && <p class="c-quiet">{inspector.silent}</p>}
      {items !== null && items.length > 0 && <List items={items} words={inspector} />}
      {items === null && value !== undefined && value !== '' && <Value value={value} />}
    </AnswerFrame>
  );
};

interface ListProps {
  readonly items: readonly JsonValue[];
  readonly words: ToolWords['console']['inspector'];
}

function List({ items, words: said }: ListProps): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const { all } = useWords();
  const shown = isWhole ? items : items.slice(0, SHOWN);
  return (
    <>
      <ol class="f-items">
        {shown.map((item, at) => (
          <Message key={at} item={item} words={said} />
        ))}
      </ol>
      {shown.length < items.length && (
        <button type="button" class="c-button" onClick={() => setWhole(true)}>
          {all(formatNumber(items.length))}
        </button>
      )}
    </>
  );
}

function Message({
  item,
  words: said,
}: {
  readonly item: JsonValue;
  readonly words: ToolWords['console']['inspector'];
}): JSX.Element {
  const level = textIn(item, 'level') ?? '';
  const location = textIn(item, 'location');
  const stack = textsIn(item, 'stack');
  const at = Date.parse(textIn(item, 'time') ?? '');
  return (
    <li class={`f-message ${TONES[level] ?? 'plain'}`}>
      <p class="f-title">
        <Badge tone={TONES[level] ?? 'plain'}>{said.levels[level] ?? reveal(level)}</Badge>
        {!Number.isNaN(at) && <time class="c-quiet">{formatTime(at)}</time>}
        {location !== null && <bdi class="c-quiet">{reveal(location)}</bdi>}
      </p>
      <pre class="f-text" dir="auto">
        {revealLines(textIn(item, 'text') ?? '')}
      </pre>
      {stack.length > 0 && (
        <details>
          <summary>{said.stack}</summary>
          <pre class="f-text" dir="ltr">
            {stack.map(revealLines).join('\n')}
          </pre>
        </details>
      )}
    </li>
  );
}
