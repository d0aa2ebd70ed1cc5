import { isObject } from '../../../../shared/json.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import { ItemsFooter } from '../../components/record-table.tsx';
import type { FacesOf, Render } from '../face.ts';
import { CaptureFacts } from './capture-facts.tsx';
import { RequestTable } from './request-table.tsx';
import { requestsIn } from './requests.ts';

/** A slice as a table, a command of curl as text, and of a capture how it is. */
const Network: Render = ({ answer, language, actions }) => {
  const { value } = answer;
  const { page } = actions;
  const requests = requestsIn(value);
  return (
    <AnswerFrame answer={answer} language={language} actions={actions}>
      {requests !== null && <RequestTable requests={requests} language={language} actions={actions} />}
      {requests !== null && page !== null && (
        <ItemsFooter rows={requests.map(({ entry }) => entry)} canCopy {...page} />
      )}
      {requests === null && isObject(value) && <CaptureFacts value={value} language={language} />}
      {typeof value === 'string' && value !== '' && <CodeBlock text={value} />}
    </AnswerFrame>
  );
};

export const faces: FacesOf<Render> = { network: Network };
