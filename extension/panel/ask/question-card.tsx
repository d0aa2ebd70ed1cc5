import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ApproveRequest } from '../../ports/requests.ts';
import type { ShownQuestion } from '../../approve/protocol.ts';
import { describeCall } from './describe-call.ts';
import { secretTargets } from './describe-step.ts';
import { ArgsEditor, useEdit } from './args-editor.tsx';
import { hasLongHost, shownAddress } from './address.tsx';
import { Asks, Quoted, SentenceView, PressButton, useLive, useReason } from './press-button.tsx';
import { PageFacts, type TakeoverCardProps } from './request-card.tsx';
import { Select } from '../components/select.tsx';
import type { Scope } from '../../../shared/policy/decision.ts';
import { isActing } from '../../../shared/policy/names.ts';
import { useCardWords } from '../../words/en/card.ts';
import type { Risk } from '../../../shared/policy/risks.ts';

/** A card is named after the first of these risks. */
const GRAVEST: readonly Risk[] = [
  'evaluate',
  'capture_network',
  'upload',
  'crawl',
  'dialog',
  'submit',
  'download',
  'input',
  'navigate',
  'read',
];

export const gravestOf = ({ risks }: Pick<ShownQuestion, 'risks'>): Risk =>
  GRAVEST.find((risk) => risks.includes(risk)) ?? 'read';

export interface QuestionCardProps extends Pick<TakeoverCardProps, 'send' | 'isNextToPage'> {
  readonly question: ShownQuestion;
  /** Null in a page without decisions. */
  readonly token: string | null;
  /** Comes last, before the buttons. */
  readonly children?: ComponentChildren;
}

/** One question. Key it by its id, so that no state of the last one remains. */
export function QuestionCard({ question, token, send, isNextToPage, children }: QuestionCardProps) {
  const strings = useCardWords();
  const { card, acts } = strings;
  const isLive = useLive(token, isNextToPage) && question.elements !== null;
  const edit = useEdit(question, strings);
  const heading = useRef<HTMLHeadingElement>(null);
  // Not a button: a person may be typing when the window appears. Next to a page, they may be typing in the page.
  useEffect(() => {
    if (!isNextToPage) heading.current?.focus();
  }, []);
  const gravest = gravestOf(question);
  const others = GRAVEST.filter((risk) => risk !== gravest && question.risks.includes(risk));
  const sentences = describeCall({ ...question, args: edit.args }, strings);
  const { url, tab } = question;
  const address = shownAddress(question);
  const isLong = hasLongHost(address);
  const lead = <p class="lead">{acts[gravest].could}</p>;
  return (
    <>
      <main>
        <Asks agent={question.agent}>{card.asks}</Asks>
        <h1 ref={heading} tabIndex={-1}>
          {acts[gravest].ask}
        </h1>
        {!isLong && lead}
        <section class="place" aria-label={card.site}>
          <PageFacts url={address} page={tab?.url ?? url} title={tab?.title ?? ''} />
        </section>
        {/* The end of a long host tells its owner, and is never pushed out of view. */}
        {isLong && lead}
        <h2>{card.will}</h2>
        <ol class="steps">
          {sentences.map((sentence, at) => (
            <li key={at}>
              <SentenceView sentence={sentence} />
            </li>
          ))}
        </ol>
        <SecretWarning question={question} />
        {others.length > 0 && (
          <>
            <h2>{card.could}</h2>
            <ul class="risks">
              {others.map((risk) => (
                <li key={risk}>{acts[risk].could}</li>
              ))}
            </ul>
          </>
        )}
        {/* The page where the call will act. Reserves room for the picture, so that nothing moves when it arrives. */}
        {question.picture !== null && (
          <figure class="picture">
            <div class="frame">
              {question.picture.data?.startsWith('data:image/webp;base64,') === true ? (
                <img src={question.picture.data} alt={card.pictureAlt} />
              ) : (
                <span class="quiet">{card.pictureComing}</span>
              )}
            </div>
            <figcaption class="quiet">{card.picture}</figcaption>
          </figure>
        )}
        <ArgsEditor question={question} edit={edit} />
        {children}
      </main>
      {token !== null && <DecisionBar {...{ question, token, send, isLive, edit }} />}
    </>
  );
}

/** Warns that a page gets a secret. */
function SecretWarning({ question }: Pick<QuestionCardProps, 'question'>) {
  const { card } = useCardWords();
  const { args, elements, origin, url } = question;
  const targets = args === null ? [] : secretTargets(args);
  if (targets.length === 0) return null;
  const isOpen = targets.some((target) => elements?.[target]?.isPassword === false);
  return (
    <p class="problem">
      <b>
        <Quoted text={origin === 'null' ? url : origin} />
      </b>{' '}
      {card.secretAt} {isOpen && card.secretOpen}
    </p>
  );
}

interface DecisionBarProps extends Pick<QuestionCardProps, 'question' | 'send'> {
  readonly token: string;
  readonly isLive: boolean;
  readonly edit: ReturnType<typeof useEdit>;
}

function DecisionBar({ question, token, send, isLive, edit }: DecisionBarProps) {
  const { card, scopes } = useCardWords();
  const [scope, setScope] = useState<Scope>(question.scope);
  const [reasonField, reason] = useReason(card.reason);
  const id = useId();
  const { count } = question;
  const { isEdited, args } = edit;
  const lasts = question.scopes.length > 1;
  const decide = (answer: Extract<ApproveRequest, { type: 'decide' }>['answer']): void =>
    send({ type: 'decide', question: question.id, token, answer });
  const allow = (lasting: Scope): void =>
    decide({ approve: true, scope: lasting, ...(isEdited && args !== null ? { args } : {}) });
  const label = isEdited
    ? card.allowEdited
    : count > 1 && scope === 'once'
      ? card.allowOne
      : lasts
        ? scopes[scope].allow
        : card.allow;
  const yes = {
    class: 'allow',
    about: question.id,
    isLive,
    isBlocked: edit.problem !== null,
    ignoresEnter: true,
    'aria-describedby': `${id}-reach ${id}-space`,
  };
  return (
    <>
      <footer class="decide">
        {lasts && (
          <div class="scope">
            <label for={`${id}-scope`}>{card.scope}</label>
            <Select
              id={`${id}-scope`}
              value={scope}
              aria-describedby={`${id}-reach`}
              options={question.scopes.map((one) => [one, scopes[one].name])}
              onChange={(value) => setScope(question.scopes.find((one) => one === value) ?? 'once')}
            />
          </div>
        )}
        {reasonField}
        <div class="buttons">
          <PressButton
            id="deny"
            about={question.id}
            isLive={isLive}
            onPress={() => decide({ approve: false, ...reason })}
          >
            {count > 1 ? card.denyAll(count) : card.deny}
          </PressButton>
          <PressButton {...yes} id="allow" onPress={() => allow(scope)}>
            {label}
          </PressButton>
          {lasts && scope !== 'task' && !isEdited && (
            <PressButton {...yes} id="allow-session" onPress={() => allow('task')}>
              {scopes.task.allow}
            </PressButton>
          )}
        </div>
      </footer>
      <section aria-labelledby={`${id}-space`}>
        <p id={`${id}-reach`} class="quiet space">
          {lasts && (isActing(question.risks) ? card.lastingActs : card.lastingKind)}
        </p>
        <p id={`${id}-space`} class="quiet space">
          {card.space}
        </p>
      </section>
    </>
  );
}
