import { isJsonList } from '../../../../shared/json.ts';
import type { Portal, Render } from '../../tools/face.ts';
import { CodeBlock } from '../code-block.tsx';
import { Picture } from '../picture.tsx';
import { RecordTable } from '../record-table.tsx';
import { Value } from '../value.tsx';
import { AnswerFrame } from './answer-frame.tsx';
import { generalTexts } from './words.ts';

/** Any result: a list as a table, other JSON as a tree of values, text as it is, a picture, a stored output, an error. */
export const GeneralRender: Render = ({ answer, language, actions }) => {
  const { value, picture } = answer;
  return (
    <AnswerFrame answer={answer} language={language} actions={actions}>
      {picture !== null && <Picture {...picture} alt={generalTexts[language].picture} />}
      {typeof value === 'string' && value !== '' && <CodeBlock text={value} />}
      {isJsonList(value) && value.length > 0 && (
        <RecordTable rows={value} openLink={actions.openLink} canCopy {...actions.page} />
      )}
      {value !== undefined && typeof value !== 'string' && !(isJsonList(value) && value.length > 0) && (
        <Value value={value} openLink={actions.openLink} />
      )}
    </AnswerFrame>
  );
};

/** The same in full, and as JSON, which can be copied. */
export const GeneralPortal: Portal = (props) => {
  const { value } = props.answer;
  return (
    <>
      <GeneralRender {...props} />
      {value !== undefined && typeof value !== 'string' && (
        <CodeBlock text={JSON.stringify(value, null, 2)} label={generalTexts[props.language].json} />
      )}
    </>
  );
};
