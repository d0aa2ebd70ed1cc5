import browser from 'webextension-polyfill';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ApproveRequest } from '../requests-port.ts';
import type { ShownQuestion } from '../protocol.ts';
import { Carried } from './carried.tsx';
import { describeCall, restOf } from './describe-call.ts';
import type { Chosen, FileChoosersProps } from './file-choosers.tsx';
import { useLoaded } from '../../ui/face-boundary.tsx';
import { followsLinks, secretTargets } from './describe-step.ts';
import { ArgsEditor, useEdit } from './args-editor.tsx';
import { hasLongHost, shownAddress } from './address.tsx';
import { Asks, PressButton, useLive, useReason } from './press-button.tsx';
import { Marks, Quoted, QuotedRows, SentenceView } from '../../ui/quoted.tsx';
import { PageFacts, type TakeoverCardProps } from './request-card.tsx';
import { Select } from '../../ui/select.tsx';
import type { Scope } from '../../../shared/core/policy/decision.ts';
import { HISTORY_PERMISSIONS, isActing } from '../../../shared/core/policy/names.ts';
import { useCardWords, type CardWords } from '../../ui/words/en/card.ts';
import { quote } from '../../ui/words/sentence.ts';
import type { Risk } from '../../../shared/core/policy/risks.ts';

/** A card is named after the first of these risks. */
const GRAVEST: readonly Risk[] = [
  'borrow_tab',
  'list_tabs',
  'read_history',
  'use_container',
  'carry_text',
  'evaluate',
  'capture_network',
  'upload',
  'crawl',
  'dialog',
  'submit',
  'download',
  'input',
  'show_tab',
  'navigate',
  'read',
];

const gravestOf = ({ risks }: Pick<ShownQuestion, 'risks'>): Risk =>
  GRAVEST.find((risk) => risks.includes(risk)) ?? 'read';

/** The words of a question's heading. A tab that is closed shows no other page. */
export function headingOf(question: ShownQuestion, words: CardWords): CardWords['closing'] {
  const isClosing = question.tool === 'tabs' && question.args?.['action'] === 'close';
  if (isClosing && !isLoan(question)) return words.closing;
  if (hasProxy(question)) return words.proxying;
  return isFollowing(question) ? words.following : words.acts[gravestOf(question)];
}

const hasProxy = ({ tool, args }: ShownQuestion): boolean =>
  tool === 'emulate' && args?.['proxy'] !== undefined;

const isFollowing = (question: ShownQuestion): boolean =>
  gravestOf(question) === 'submit' &&
  question.tool === 'interact' &&
  question.args !== null &&
  followsLinks(question.args, question);

/** The further effects of a call, besides those of its heading. */
function othersOf(question: ShownQuestion): readonly Risk[] {
  const gravest = gravestOf(question);
  const named: readonly Risk[] = isFollowing(question) ? [gravest, 'input', 'navigate'] : [gravest];
  return GRAVEST.filter((risk) => !named.includes(risk) && question.risks.includes(risk));
}

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
  const about = headingOf(question, strings);
  const isLive = useLive(token, isNextToPage) && question.elements !== null;
  const edit = useEdit(question, strings);
  const [isPermitted, setIsPermitted] = useState(true);
  const [chosen, setChosen] = useState<Chosen>({
    isBlocked: question.chosen.length > 0,
    give: (_token, decide) => askBrowser(question, setIsPermitted, decide),
  });
  const heading = useRef<HTMLHeadingElement>(null);
  // Not a button: a person may be typing when the window appears. Next to a page, they may be typing in the page.
  useEffect(() => {
    if (!isNextToPage) heading.current?.focus();
  }, []);
  const others = othersOf(question);
  const sentences = describeCall({ ...question, args: edit.args }, strings);
  const rest = restOf(question.tool, edit.args ?? {}, sentences);
  const address = shownAddress(question);
  const isLong = hasLongHost(address);
  const lead = <p class="lead">{about.could}</p>;
  return (
    <Marks.Provider value={question.carried.flatMap(({ marks }) => marks)}>
      <main>
        <Asks agent={question.agent}>{card.asks}</Asks>
        <h1 ref={heading} tabIndex={-1}>
          {about.ask}
        </h1>
        {!isLong && lead}
        <Carried carried={question.carried} />
        <Place question={question} address={address} />
        {/* The end of a long host tells its owner, and is never pushed out of view. */}
        {isLong && lead}
        <Stake atStake={question.atStake} />
        <h2>{isLoan(question) ? card.what : card.will}</h2>
        <ol class="steps">
          {sentences.map((sentence, at) => (
            <li key={at}>
              <SentenceView sentence={sentence} />
            </li>
          ))}
        </ol>
        {question.chosen.length > 0 && <LazyChoice {...{ question, send }} onChange={setChosen} />}
        {rest.length > 0 && <h2>{card.rest}</h2>}
        {rest.length > 0 && <QuotedRows rows={rest} />}
        {JSON.stringify(question.args).includes('«redacted:') && <p class="problem">{card.hidesParts}</p>}
        <SecretWarning question={question} />
        <Picture picture={question.picture} decides={token !== null} send={send} />
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
        <ArgsEditor question={question} edit={edit} />
        {!isPermitted && <p class="problem" role="alert" children={card.notPermitted} />}
        {children}
      </main>
      {token !== null && (
        <DecisionBar
          {...{ question, token, send, isLive, edit, chosen }}
          isBlocked={edit.problem !== null || chosen.isBlocked}
        />
      )}
    </Marks.Provider>
  );
}

/** Few questions are about files: the code is loaded with the first. */
function LazyChoice(props: FileChoosersProps) {
  const isSaving = props.question.tool === 'downloads';
  const load = async () =>
    isSaving
      ? (await import('./save-folder.tsx')).SaveFolder
      : (await import('./file-choosers.tsx')).FileChoosers;
  const Choice = useLoaded(isSaving ? 'choice of a folder' : 'choice of files', load);
  return typeof Choice === 'string' ? null : <Choice {...props} />;
}

const isLoan = ({ risks }: Pick<ShownQuestion, 'risks'>): boolean => risks.includes('borrow_tab');

/** Where it will happen. A list of tabs is of no page. */
function Place({ question, address }: Pick<QuestionCardProps, 'question'> & { readonly address: string }) {
  const { card } = useCardWords();
  const { url, tab, isLent } = question;
  if (address === '') return null;
  return (
    <>
      {isLent && !isLoan(question) && <p class="quiet">{card.yours}</p>}
      <section class="place box" aria-label={card.site}>
        <PageFacts url={address} page={tab?.url ?? url} title={tab?.title ?? ''} container={tab?.container} />
      </section>
    </>
  );
}

interface PictureProps extends Pick<ShownQuestion, 'picture'>, Pick<QuestionCardProps, 'send'> {
  readonly decides: boolean;
}

/** The page where the call will act. Reserves room for a picture that comes unasked, so that it moves nothing. */
function Picture({ picture, decides, send }: PictureProps) {
  const { card } = useCardWords();
  if (picture === null) return null;
  const isOnRequest = picture === 'on_request';
  return (
    <figure class="picture">
      <div class="frame">
        {isOnRequest ? (
          <button
            id="show-picture"
            type="button"
            class="plain"
            disabled={!decides}
            onClick={() => send({ type: 'show_picture' })}
          >
            {card.showPicture}
          </button>
        ) : picture.data?.startsWith('data:image/webp;base64,') === true ? (
          <img src={picture.data} alt={card.pictureAlt} />
        ) : (
          <span class="quiet">{card.pictureComing}</span>
        )}
      </div>
      <figcaption class="quiet">{isOnRequest ? card.pictureBar : card.picture}</figcaption>
    </figure>
  );
}

/** Work that a person would lose if their tab left its page. */
function Stake({ atStake }: Pick<ShownQuestion, 'atStake'>) {
  const { stake } = useCardWords();
  if (atStake.length === 0) return null;
  return (
    <>
      <h2>{stake.title}</h2>
      <ul class="risks">
        {atStake.map((one, at) => (
          <li key={at}>
            {one.kind !== 'text' ? (
              stake[one.kind]
            ) : one.name === '' ? (
              stake.moreText
            ) : (
              <SentenceView sentence={stake.text({ field: quote(one.name) })} />
            )}
          </li>
        ))}
      </ul>
      <p class="problem">{stake.lost}</p>
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
    <p class="problem above">
      <b>
        <Quoted text={origin === 'null' ? url : origin} />
      </b>{' '}
      {card.secretAt} {isOpen && card.secretOpen}
    </p>
  );
}

/** The reach of a longer permission. */
function reachOf({ risks, isLent }: ShownQuestion, card: CardWords['card']): string {
  if (risks.includes('borrow_tab')) return card.lastingLoan;
  if (risks.includes('read_history')) return card.lastingHistory;
  if (risks.includes('list_tabs')) return card.lastingList;
  if (isLent) return card.lastingTab;
  if (risks.includes('carry_text')) return card.lastingCarried;
  return isActing(risks) ? card.lastingActs : card.lastingKind;
}

/** Has the browser ask for its own permission, which it does only in a person's press. */
async function askBrowser(
  question: ShownQuestion,
  tell: (isPermitted: boolean) => void,
  decide: () => void,
): Promise<void> {
  const proxy = hasProxy(question) ? (['proxy'] as const) : [];
  const permissions = [...proxy, ...(question.risks.includes('read_history') ? HISTORY_PERMISSIONS : [])];
  const isPermitted =
    permissions.length === 0 || (await browser.permissions.request({ permissions }).catch(() => false));
  tell(isPermitted);
  if (isPermitted) decide();
}

type Answer = Extract<ApproveRequest, { type: 'decide' }>['answer'];

interface DecisionBarProps extends Pick<QuestionCardProps, 'question' | 'send'> {
  readonly token: string;
  readonly isLive: boolean;
  readonly edit: ReturnType<typeof useEdit>;
  readonly chosen: Chosen;
  readonly isBlocked: boolean;
}

function DecisionBar({ question, token, send, isLive, edit, chosen, isBlocked }: DecisionBarProps) {
  const { card, scopes, lending } = useCardWords();
  const [scope, setScope] = useState<Scope>(question.scope);
  const [reasonField, reason] = useReason(card.reason);
  const id = useId();
  const { count } = question;
  const { isEdited, args } = edit;
  const lasts = question.scopes.length > 1;
  const isOfTab = isLoan(question);
  const allowing = (one: Scope): string =>
    isOfTab && (one === 'once' || one === 'task') ? lending[one] : scopes[one].allow;
  // The choice that a second button makes.
  const other: Scope = isOfTab ? 'once' : 'task';
  const decide = (answer: Answer): void => send({ type: 'decide', question: question.id, token, answer });
  const allow = (lasting: Scope): void => {
    const edited = isEdited && args !== null ? { args } : {};
    void chosen.give(token, () => decide({ approve: true, scope: lasting, ...edited }));
  };
  const label = isEdited
    ? card.allowEdited
    : count > 1 && scope === 'once'
      ? card.allowOne
      : lasts
        ? allowing(scope)
        : card.allow;
  const yes = {
    class: 'allow',
    about: question.id,
    isLive,
    isBlocked: isBlocked || args === null,
    ignoresEnter: true,
    'aria-describedby': `${id}-reach ${id}-space`,
  };
  return (
    <>
      <footer class="decide">
        {lasts && !isOfTab && (
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
            {count > 1 ? card.denyAll({ count }) : card.deny}
          </PressButton>
          <PressButton {...yes} id="allow" onPress={() => allow(scope)}>
            {label}
          </PressButton>
          {lasts && scope !== other && !isEdited && (
            <PressButton {...yes} id={`allow-${isOfTab ? 'once' : 'session'}`} onPress={() => allow(other)}>
              {allowing(other)}
            </PressButton>
          )}
        </div>
        <p id={`${id}-reach`} class="quiet above">
          {lasts && reachOf(question, card)}
        </p>
      </footer>
      <section aria-labelledby={`${id}-space`}>
        <p id={`${id}-space`} class="quiet space">
          {card.space}
        </p>
      </section>
    </>
  );
}
