import { faceTexts } from '../words/faces.ts';
import type { JSX } from 'preact';
import { type JsonObject, type JsonValue, isJsonList, isObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatNumber } from '../../../words/format.ts';
import type { Language } from '../../../words/languages.ts';
import { Badge } from '../../components/marks.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { AnswerFrame } from '../../components/general-render.tsx';
import { asNumber, asRecords, asText } from '../../components/read-json.ts';
import { RecordTable } from '../../components/record-table.tsx';
import type { FaceActions, Render } from '../face.ts';

/** One page of a stored output, and where in it that is. */
export const Fetched: Render = ({ answer, ...place }) => (
  <AnswerFrame answer={answer} {...place}>
    {isObject(answer.value) && <Page page={answer.value} {...place} />}
    {typeof answer.value === 'string' && answer.value !== '' && <CodeBlock text={answer.value} />}
  </AnswerFrame>
);

interface PageProps {
  readonly page: JsonObject;
  readonly language: Language;
  readonly actions: FaceActions;
}

function Page({ page, language, actions }: PageProps): JSX.Element {
  const words = faceTexts[language].oc_output_fetch;
  const { content } = page;
  return (
    <>
      <Position page={page} language={language} actions={actions} />
      {isJsonList(content) && content.length > 0 && (
        <RecordTable
          rows={content}
          offset={countIn(page['offset'])}
          total={countIn(page['total'])}
          openLink={actions.openLink}
          oversized={oversizedIn(page)}
          canCopy
          {...actions.page}
        />
      )}
      {typeof content === 'string' && content !== '' && (
        <CodeBlock text={content} label={page['encoding'] === 'base64' ? words.base64 : words.text} />
      )}
    </>
  );
}

/** Which part of the output this is. */
function Position({ page, language, actions: { openOutput } }: PageProps): JSX.Element {
  const words = faceTexts[language].oc_output_fetch;
  const handle = asText(page['output_handle']) ?? '';
  const [offset, returned, total] = [
    countIn(page['offset']),
    countIn(page['returned']),
    countIn(page['total']),
  ];
  const range = isJsonList(page['content']) ? words.items : words.bytes;
  const isEnd = page['eof'] === true;
  return (
    <div class="c-position">
      <p class="c-line">
        <code>{reveal(handle)}</code>
        <span>
          {returned === 0
            ? words.nothing
            : range(formatNumber(offset + 1), formatNumber(offset + returned), formatNumber(total))}
        </span>
        <Badge tone={isEnd ? 'good' : 'plain'}>{isEnd ? words.end : words.more}</Badge>
        {openOutput !== null && handle !== '' && (
          <button type="button" class="c-button c-end" onClick={() => openOutput(handle)}>
            {words.open}
          </button>
        )}
      </p>
      {total > 0 && (
        <span class="c-bar" aria-hidden="true">
          <span
            style={{ marginInlineStart: `${(offset / total) * 100}%`, width: `${(returned / total) * 100}%` }}
          />
        </span>
      )}
    </div>
  );
}

const countIn = (value: JsonValue | undefined): number => asNumber(value) ?? 0;

const oversizedIn = (page: JsonObject): ReadonlyMap<number, number> =>
  new Map(
    asRecords(page['oversized']).flatMap(({ index, size_bytes: size }) =>
      asNumber(index) === null || asNumber(size) === null ? [] : [[Number(index), Number(size)]],
    ),
  );
