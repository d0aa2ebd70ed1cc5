import { Button, Skeleton, useActions } from '../kit.tsx';
import { onEscape, usePanelWords } from './panel-context.tsx';
import { type ComponentChildren, type ComponentType, createContext } from 'preact';
import type { JsonValue } from '../../../shared/base/json.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { FaceBoundary, useLoaded } from '../face-boundary.tsx';
import { useWords } from '../words/en/components.ts';
import { WordsContext } from '../words/use-texts.ts';
import type { Failure } from './feed-client.ts';
import { isClosedAtFirst, portalOf, waitingFor, renderOf, toolTitle, inspectorOf } from '../faces/faces.tsx';
import type { FaceAnswer, OfAnswer, OfCall } from '../faces/face.ts';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { GeneralInspector } from '../call-line.tsx';

interface CallFaceProps extends OfCall {
  readonly answer: ShownAnswer;
  /** Why the answer could not be read, and how to try again; null if it was read. */
  readonly failed?: { readonly why: Failure; readonly again: () => void } | null;
  readonly items?: readonly JsonValue[];
  /** It was running when its server left: no more will come. */
  readonly isLost: boolean;
}

/** The state of a call: its Placeholder, Streaming or Render. */
export function CallFace(props: CallFaceProps) {
  const { call, answer, failed = null, items = [], isLost } = props;
  const { faces, again } = usePanelWords();
  const onQuestion = useContext(QuestionContext);
  if (isLost) return <Notice>{faces.lost}</Notice>;
  if (call.state === 'waiting')
    return (
      <Notice asks>
        {onQuestion === null ? faces.waited : faces.waiting}
        {onQuestion !== null && <Button onClick={onQuestion}>{faces.showQuestion}</Button>}
      </Notice>
    );
  // MCP streams no arguments: until the first progress, only the running call is known.
  if (call.state === 'running' && call.progress !== null)
    return (
      <LazyFace
        key={`${call.callId} Streaming`}
        name={`${call.tool} Streaming`}
        load={null}
        given={{ call, items }}
        loadGeneral={async () => (await import('../run-facts.tsx')).RunStreaming}
      />
    );
  if (call.state === 'running' || answer === 'reading') return <Arriving call={call} />;
  if (answer === null)
    return failed === null ? (
      <NotKept call={call} />
    ) : (
      <Notice asks>
        {faces.notRead}
        <code>{reveal(failed.why.code)}</code>
        <bdi>{reveal([failed.why.message, failed.why.hint ?? ''].join(' '))}</bdi>
        <Button onClick={failed.again}>{again}</Button>
      </Notice>
    );
  return <Ended call={call} answer={answer} />;
}

/** `asks`: it waits for a person. */
type NoticeProps = { readonly asks?: boolean; readonly children: ComponentChildren };

const Notice = ({ asks = false, children }: NoticeProps) => (
  <p class={`notice cluster ${asks ? '' : 'theirs'}`} role="status">
    {children}
  </p>
);

function Arriving({ call }: OfCall) {
  const { arriving } = useWords();
  return <Skeleton label={waitingFor(useContext(WordsContext), call.tool) ?? arriving} />;
}

function NotKept({ call: { handle } }: OfCall) {
  const { faces } = usePanelWords();
  const words = useWords();
  const { openOutput } = useActions();
  return (
    <Notice>
      {faces.notKept}
      {handle !== null && (
        <>
          {' '}
          {faces.storedAs} <code>{reveal(handle)}</code>
          {openOutput !== null && <Button onClick={() => openOutput(handle)}>{words.open}</Button>}
        </>
      )}
    </Notice>
  );
}

/** A failure is always shown; no face hides it. */
function Ended({ call, answer }: OfAnswer) {
  const { faces } = usePanelWords();
  const result = (
    <LazyFace
      key={`${call.callId} Render`}
      name={`${call.tool} Render`}
      load={renderOf(call.tool)}
      given={{ call, answer }}
      loadGeneral={async () => (await import('../general-render.tsx')).GeneralRender}
    />
  );
  if (answer.error !== null || !isClosedAtFirst(call.tool, answer)) return result;
  return (
    <details class="f-closed">
      <summary>{faces.answer}</summary>
      {result}
    </details>
  );
}

/** The full view of a result: the tool's Portal, or its Render with all available room. */
export function CallPortal({ call, answer }: OfAnswer) {
  return (
    <LazyFace
      name={`${call.tool} Portal`}
      load={portalOf(call.tool) ?? renderOf(call.tool)}
      given={{ call, answer }}
      loadGeneral={async () => (await import('../general-render.tsx')).GeneralPortal}
    />
  );
}

interface LazyFaceProps<Given extends OfCall> {
  /** For the log; a new name loads the face again. */
  readonly name: string;
  /** Null if the tool has none. */
  readonly load: (() => Promise<ComponentType<Given>>) | null;
  readonly given: Given;
  readonly loadGeneral: () => Promise<ComponentType<Given>>;
}

/** A face that is loaded when it is shown. */
function LazyFace<Given extends OfCall>(props: LazyFaceProps<Given>) {
  const { name, load, given, loadGeneral } = props;
  const { faces } = usePanelWords();
  const Face = useLoaded(name, async () => (await load?.()) ?? loadGeneral());
  if (Face === 'loading') return <Arriving call={given.call} />;
  if (Face === 'failed') return <Instead {...props} text={faces.notLoaded} />;
  return (
    <FaceBoundary name={name} fallback={<Instead {...props} text={faces.broken} />}>
      <Face {...given} />
    </FaceBoundary>
  );
}

/** The general face, with the reason for it. */
function Instead<Given extends OfCall>(props: LazyFaceProps<Given> & { readonly text: string }) {
  const { name, given, loadGeneral, text } = props;
  const Face = useLoaded(`general face in place of ${name}`, loadGeneral);
  return (
    <>
      <Notice>{text}</Notice>
      {Face === 'loading' && <Arriving call={given.call} />}
      {typeof Face !== 'string' && (
        <FaceBoundary name={`general face in place of ${name}`} fallback={null}>
          <Face {...given} />
        </FaceBoundary>
      )}
    </>
  );
}

/**
 * The full view of a call, over the part of the panel that it was opened from. Questions stay above it. The focus moves
 * into it, and later returns.
 */
export function Portal({ call, answer, onClose }: OfAnswer & { readonly onClose: () => void }) {
  const strings = usePanelWords();
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    title.current?.focus();
    return () => {
      // Inert content behind it cannot be focused.
      queueMicrotask(() => before instanceof HTMLElement && before.focus());
    };
  }, []);
  return (
    <section class="portal" role="dialog" aria-labelledby="portal-title" onKeyDown={onEscape(onClose)}>
      <div class="line title">
        <h2 id="portal-title" class="clip" ref={title} tabIndex={-1}>
          <CallInspector call={call} />
        </h2>
        <Button onClick={onClose}>{strings.close}</Button>
      </div>
      <CallPortal call={call} answer={answer} />
    </section>
  );
}

/** Null if the server no longer keeps it. */
export type ShownAnswer = FaceAnswer | null | 'reading';

/** Shows the open question; null without any. */
export const QuestionContext = createContext<(() => void) | null>(null);

/** Titles of other servers' tools and of recipes, as seen in calls. */
export const TitlesContext = createContext<ReadonlyMap<string, string>>(new Map());

/** The title of a tool in the person's language. */
export function useToolTitle(): (tool: string) => string {
  const language = useContext(WordsContext);
  const titles = useContext(TitlesContext);
  return (tool) => {
    const title = titles.get(tool);
    return title === undefined ? toolTitle(language, tool) : reveal(title);
  };
}

/** The line of a call: its tool's Inspector. */
export function CallInspector({ call }: OfCall) {
  const Face = inspectorOf(call.tool);
  const general = <GeneralInspector call={call} />;
  if (Face === null) return general;
  return (
    <FaceBoundary key={call.callId} name={`${call.tool} Inspector`} fallback={general}>
      <Face call={call} />
    </FaceBoundary>
  );
}

/** How far a call is, if its total is known. */
export function CallProgress({ call: { tool, progress } }: OfCall) {
  const { now } = usePanelWords();
  if (progress === null || progress.total === null) return null;
  return (
    <progress
      max={progress.total}
      value={progress.done}
      aria-label={now.progressOf({ tool: reveal(tool) })}
    />
  );
}
