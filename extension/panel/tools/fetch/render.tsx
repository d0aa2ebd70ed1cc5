import { reveal } from '../../../../shared/policy/reveal.ts';
import { isObject, type JsonObject } from '../../../../shared/json.ts';
import { formatSize } from '../../../words/format.ts';
import { Badge } from '../../components/badge.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Picture } from '../../components/picture.tsx';
import { isSet, numberIn, textIn } from '../../components/read-json.ts';
import { Value } from '../../components/value.tsx';
import type { FacesOf, Render } from '../face.ts';
import { words } from './words.ts';

const FAILED_STATUS = 400;

/** What came back: status, headers and body. */
const Fetched: Render = ({ answer, language, actions }) => {
  const { value, picture, state } = answer;
  const { inspector } = words[language];
  const status = numberIn(state, 'status');
  const size = numberIn(state, 'size_bytes');
  const type = textIn(state, 'content_type');
  // A PDF is read as Markdown.
  const isDocument = state['pages'] !== undefined;
  return (
    <AnswerFrame answer={answer} language={language} actions={actions} showsState>
      <PageHead title={textIn(state, 'file_name')} url={textIn(state, 'url')} openLink={actions.openLink}>
        {status !== null && (
          <Badge tone={status < FAILED_STATUS ? 'good' : 'bad'}>{inspector.status(status)}</Badge>
        )}
        {size !== null && <span class="c-quiet">{formatSize(size)}</span>}
        {isSet(state, 'truncated') && <Badge tone="wait">{inspector.truncated}</Badge>}
      </PageHead>
      {type !== null && <KeyValues rows={[[inspector.type, <bdi>{reveal(type)}</bdi>]]} />}
      <Headers headers={state['headers']} title={inspector.headers} />
      {picture !== null && <Picture {...picture} alt={inspector.picture} />}
      {typeof value === 'string' && value !== '' && isDocument && (
        <Markdown text={value} openLink={actions.openLink} />
      )}
      {typeof value === 'string' && value !== '' && !isDocument && (
        <CodeBlock text={value} label={inspector.body} />
      )}
      {value !== undefined && typeof value !== 'string' && (
        <Value value={value} openLink={actions.openLink} />
      )}
    </AnswerFrame>
  );
};

function Headers({ headers, title }: { readonly headers: JsonObject[string]; readonly title: string }) {
  if (!isObject(headers) || Object.keys(headers).length === 0) return null;
  return (
    <details>
      <summary>{title}</summary>
      <KeyValues
        rows={Object.entries(headers).map(([name, value]) => [
          <code>{reveal(name)}</code>,
          <bdi>{reveal(String(value))}</bdi>,
        ])}
      />
    </details>
  );
}

export const faces: FacesOf<Render> = { fetch: Fetched };
