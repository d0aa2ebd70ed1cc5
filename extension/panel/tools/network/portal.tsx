import { AnswerFrame } from '../../components/general/answer-frame.tsx';
import type { FacesOf, Portal } from '../face.ts';
import { faces as renders } from './render.tsx';
import { RequestTable } from './request-table.tsx';
import { requestsIn } from './requests.ts';

const Render = renders['network'];

/** All requests, to be filtered. */
const Requests: Portal = (props) => {
  const { answer, language, actions } = props;
  const requests = requestsIn(answer.value);
  if (requests === null) return Render === undefined ? null : <Render {...props} />;
  return (
    <AnswerFrame answer={answer} language={language} actions={actions}>
      <RequestTable requests={requests} language={language} actions={actions} hasFilter />
    </AnswerFrame>
  );
};

export const faces: FacesOf<Portal> = { network: Requests };
