import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { slugOf } from '../../../shared/core/slug.ts';
import type { RecordedTarget } from '../recorded-port.ts';
import { type CardWords, useCardWords } from '../../ui/words/en/card.ts';
import { pickTexts, recordTexts, type RecordWords } from '../../ui/words/en/record.ts';
import { quote, say, type Sentence } from '../../ui/words/sentence.ts';
import { useTexts } from '../../ui/words/use-texts.ts';
import { describeElement, describeStep, describeTarget } from '../../people/panel/describe-step.ts';
import { SentenceView } from '../../ui/quoted.tsx';
import { wordOf } from '../../ui/call-line.tsx';
import { Button, Problem } from '../../ui/kit.tsx';
import { sessionName } from '../../ui/text.ts';
import { Select } from '../../ui/select.tsx';
import type { ShownPick, ShownRecording, ShownStep } from '../../ui/frame/protocol.ts';
import { usePanel, usePanelWords } from '../../ui/frame/panel-context.tsx';

const SAID_UNITS = 1_000;

/** A person points at an element of the page, and sends it to an agent. */
export function PickPart() {
  const { state, request, strings } = usePanel();
  const words = useTexts(pickTexts);
  const { pick } = state;
  const isPointing = pick?.step === 'pointing';
  useEffect(() => {
    if (!isPointing) return undefined;
    const stop = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') request({ type: 'pick', act: 'stop' });
    };
    addEventListener('keydown', stop);
    return () => removeEventListener('keydown', stop);
  }, [isPointing]);
  return (
    <section class="pick" aria-label={words.start}>
      <div role="status">
        {isPointing && <p>{words.pointing}</p>}
        {pick?.step === 'sent' && <p>{words.sent({ agent: reveal(pick.agent) })}</p>}
      </div>
      {pick?.step === 'failed' && <Problem>{getProblemWords(words.problems, pick.problem)}</Problem>}
      {pick?.step === 'picked' && <PickedForm pick={pick} />}
      {isPointing ? (
        <Button onClick={() => request({ type: 'pick', act: 'stop' })}>{strings.cancel}</Button>
      ) : (
        pick?.step !== 'picked' && (
          <Button title={words.about} onClick={() => request({ type: 'pick', act: 'start' })}>
            {pick === null ? words.start : words.again}
          </Button>
        )
      )}
    </section>
  );
}

function PickedForm({ pick }: { readonly pick: Extract<ShownPick, { step: 'picked' }> }) {
  const { request, strings } = usePanel();
  const words = useTexts(pickTexts);
  const cardWords = useCardWords();
  const [said, setSaid] = useState('');
  const [to, choice] = useAgent('session');
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const send = (event: Event): void => {
    event.preventDefault();
    if (to === undefined) return;
    const { server, session, name: agent } = to;
    request({ type: 'pick_send', server, session, agent, said: said.trim() });
  };
  return (
    <form onSubmit={send}>
      {pick.picture !== null && <img class="c-picture" src={pick.picture} alt="" />}
      <p>
        <SentenceView sentence={describeElement({ line: pick.line, leads: null }, cardWords)} />
      </p>
      <label for={id}>{words.say}</label>
      <textarea
        id={id}
        rows={2}
        maxLength={SAID_UNITS}
        value={said}
        ref={field}
        onInput={({ currentTarget }) => setSaid(currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && !event.shiftKey && !event.isComposing && send(event)}
      />
      {choice}
      {pick.problem !== null && <Problem>{getProblemWords(words.problems, pick.problem)}</Problem>}
      <span class="controls cluster">
        <button type="submit" class="c-button on">
          {words.send({ agent: reveal(to?.name ?? '') })}
        </button>
        <Button onClick={() => request({ type: 'pick', act: 'start' })}>{words.again}</Button>
        <Button onClick={() => request({ type: 'pick', act: 'stop' })}>{strings.cancel}</Button>
      </span>
    </form>
  );
}

type Open = Extract<ShownRecording, { step: 'recording' | 'editing' }>;
const PARAMETER = /^[A-Za-z_]\w{0,63}$/;
const NAME_UNITS = 200;

/** A person does something once, and keeps it as a recipe. */
export function RecordPart() {
  const { recording } = usePanel().state;
  const words = useTexts(recordTexts);
  const strings = useCardWords();
  const isOn = recording?.step === 'recording';
  return (
    <section class="record" aria-label={words.start}>
      {/* First, so that no step that is added moves it. */}
      <RecordButton step={recording?.step} />
      <div role="status">
        {isOn && <p class="live dot">{words.recording}</p>}
        {recording?.step === 'kept' && <p>{words.kept({ name: recording.name })}</p>}
      </div>
      {recording?.step === 'failed' && (
        <Problem>{getProblemWords(words.problems, recording.problem)}</Problem>
      )}
      {isOn && (
        <>
          {recording.steps.length === 0 ? (
            <p class="quiet">{words.nothing}</p>
          ) : (
            <ol class="recorded edit-steps marked" aria-label={words.steps}>
              {recording.steps.map((shown) => (
                <li key={shown.step.id}>
                  <SentenceView sentence={sentenceOf(shown, words, strings)} />
                </li>
              ))}
            </ol>
          )}
          <Notes recording={recording} />
        </>
      )}
      {recording?.step === 'editing' && <Editor recording={recording} />}
    </section>
  );
}

function RecordButton({ step }: { readonly step: ShownRecording['step'] | undefined }) {
  const { request } = usePanel();
  const words = useTexts(recordTexts);
  if (step === 'editing') return null;
  if (step === 'recording')
    return (
      <Button kind="stop" onClick={() => request({ type: 'record', act: 'stop' })}>
        {words.stop}
      </Button>
    );
  return (
    <Button title={words.about} onClick={() => request({ type: 'record', act: 'start' })}>
      {step === 'kept' ? words.again : words.start}
    </Button>
  );
}

function Notes({ recording: { left, deniedSite, hasAgent } }: { readonly recording: Open }) {
  const words = useTexts(recordTexts);
  return (
    <>
      {deniedSite !== null && <p class="quiet">{words.deniedSite({ site: reveal(deniedSite) })}</p>}
      {hasAgent && <p class="quiet">{words.hasAgent}</p>}
      {left > 0 && <p class="quiet">{words.left({ count: left })}</p>}
    </>
  );
}

function Editor({ recording }: { readonly recording: Open }) {
  const { request, strings } = usePanel();
  const words = useTexts(recordTexts);
  const [dropped, drop] = useState<ReadonlySet<number>>(new Set());
  /** Parameters that differ from the proposed ones: null for the text itself. */
  const [names, setNames] = useState<ReadonlyMap<number, string | null>>(new Map());
  const [title, setTitle] = useState('');
  const [to, choice] = useAgent('server');
  const id = useId();
  const steps = recording.steps.filter(({ step }) => !dropped.has(step.id));
  const nameOf = ({ step, parameter }: ShownStep): string | null =>
    names.has(step.id) ? (names.get(step.id) ?? null) : parameter;
  const isWrong = steps.some((shown) => !PARAMETER.test(nameOf(shown) ?? 'none'));
  const keep = (event: Event): void => {
    event.preventDefault();
    if (to === undefined) return;
    const kept = steps.map((shown) => ({ id: shown.step.id, parameter: nameOf(shown) }));
    request({ type: 'record_keep', server: to.server, title: title.trim(), steps: kept });
  };
  return (
    <form onSubmit={keep}>
      {recording.problem !== null && <Problem>{getProblemWords(words.problems, recording.problem)}</Problem>}
      <Notes recording={recording} />
      <label for={id}>{strings.name}</label>
      <input
        id={id}
        type="text"
        required
        maxLength={NAME_UNITS}
        autocomplete="off"
        value={title}
        onInput={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      {slugOf(title) !== '' && <p class="quiet">{words.tool({ name: slugOf(title) })}</p>}
      {steps.length === 0 && <p class="quiet">{words.nothingLeft}</p>}
      <ol class="recorded edit-steps marked" aria-label={words.steps}>
        {steps.map((shown, at) => (
          <StepRow
            key={shown.step.id}
            shown={shown}
            at={at + 1}
            name={nameOf(shown)}
            onName={(name) => setNames(new Map(names).set(shown.step.id, name))}
            onDrop={() => drop(new Set(dropped).add(shown.step.id))}
          />
        ))}
      </ol>
      {choice}
      {to === undefined && <p class="quiet">{words.noAgent}</p>}
      <span class="controls cluster">
        <button
          type="submit"
          class="c-button on"
          disabled={to === undefined || steps.length === 0 || isWrong || title.trim() === ''}
        >
          {words.keep}
        </button>
        <Button onClick={() => request({ type: 'record', act: 'discard' })}>{words.discard}</Button>
      </span>
    </form>
  );
}

interface StepRowProps {
  readonly shown: ShownStep;
  readonly at: number;
  readonly name: string | null;
  readonly onName: (name: string | null) => void;
  readonly onDrop: () => void;
}

function StepRow({ shown, at, name, onName, onDrop }: StepRowProps) {
  const words = useTexts(recordTexts);
  const strings = useCardWords();
  const { parameter, isOpen, isFixed } = shown;
  const isWrong = name !== null && !PARAMETER.test(name);
  return (
    <li>
      <div class="recorded-step edit-step">
        <span>
          <SentenceView sentence={sentenceOf(shown, words, strings)} />
        </span>
        {!isFixed && (
          <button
            type="button"
            aria-label={words.remove({ step: at })}
            title={words.remove({ step: at })}
            onClick={onDrop}
          >
            ✕
          </button>
        )}
      </div>
      {parameter !== null && (
        <div class="recorded-parameter stack">
          <label>
            <input
              type="checkbox"
              checked={name !== null}
              disabled={isOpen}
              onChange={({ currentTarget }) => onName(currentTarget.checked ? parameter : null)}
            />{' '}
            {words.parameter}
          </label>
          <input
            type="text"
            aria-label={words.parameterOf({ step: at })}
            aria-invalid={isWrong}
            autocomplete="off"
            spellcheck={false}
            dir="ltr"
            disabled={name === null}
            value={name ?? ''}
            onInput={({ currentTarget }) => onName(currentTarget.value)}
          />
          {isWrong && <Problem>{words.wrongName}</Problem>}
        </div>
      )}
    </li>
  );
}

function sentenceOf({ step }: ShownStep, words: RecordWords, strings: CardWords): Sentence {
  if (step.kind === 'opened') return [words.opened];
  if (step.kind === 'shows') return words.shows({ text: quote(step.text) });
  if (step.kind === 'reload') return strings.tools.reload();
  if (step.kind === 'open') {
    if (step.url === null) return [words.noUrl];
    return step.isNewTab
      ? strings.tools.gotoNewTab({ url: quote(step.url) })
      : strings.tools.goto({ url: quote(step.url) });
  }
  const { do: kind, target, value, isSecret, modifiers } = step.act;
  const at = target === null ? {} : { target: formatTarget(target) };
  const text = isSecret
    ? strings.steps.fill({ target: describeTarget(at.target, strings), value: words.empty })
    : describeStep({ do: kind, ...at, ...(value === null ? {} : { value }) }, strings);
  const whole =
    modifiers.length === 0 ? text : strings.steps.with({ step: text, keys: quote(modifiers.join('+')) });
  return typeof target === 'object' && target !== null ? withPlace(whole, target, words) : whole;
}

/** Of several like elements, the one that is meant. */
function withPlace(
  sentence: Sentence,
  { near = '', nth, of }: Exclude<RecordedTarget, string>,
  words: RecordWords,
): Sentence {
  if (nth === undefined) return sentence;
  const counted = of === 1 ? sentence : say`${sentence} ${words.among({ nth, of: of ?? nth })}`;
  const place = near.replace(/^\w+ "(.*)"$/s, '$1').replaceAll(String.raw`\"`, '"');
  return place === '' ? counted : say`${counted} ${words.near({ place: quote(place) })}`;
}

/** A selector that the card can put in words. */
function formatTarget(target: RecordedTarget): string {
  if (typeof target === 'string') return target;
  const { role, name } = target;
  const mark = name.includes('"') ? "'" : '"';
  return `role=${role}${name === '' ? '' : `[name=${mark}${name}${mark}]`}`;
}

/** To whom it goes, and the choice if there are several: of sessions, or of servers. The newest comes first. */
function useAgent(of: 'session' | 'server') {
  const { agents } = usePanel().feed;
  const { agent: label } = usePanelWords();
  const [chosen, choose] = useState('');
  const newest = agents.sessions.value.toSorted((a, b) => b.lastAt - a.lastAt);
  const all = newest.filter((one, at) => newest.findIndex((other) => other[of] === one[of]) === at);
  const to = all.find((one) => one[of] === chosen) ?? all[0];
  const choice = all.length > 1 && (
    <Select
      aria-label={label}
      value={to?.[of]}
      options={all.map((one) => [one[of], sessionName(reveal(one.name), one.session)])}
      onChange={choose}
    />
  );
  return [to, choice] as const;
}

/** In a person's words, by the code of an error. */
const getProblemWords = (problems: { readonly other: string }, code: string): string =>
  wordOf(problems, code) ?? problems.other;
