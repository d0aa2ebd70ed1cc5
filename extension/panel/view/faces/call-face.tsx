import type { ComponentChildren, JSX } from 'preact';
import type { JsonValue } from '../../../../shared/json.ts';
import { toolNames } from '../../../../shared/tools/names.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { FaceBoundary } from '../../components/face-boundary.tsx';
import { GeneralPlaceholder } from '../../components/general/placeholder.tsx';
import type { Failure } from '../../feed/feed-client.ts';
import { displayControlOf } from '../../tools/display-controls.ts';
import type { FaceAnswer, FaceCall } from '../../tools/face.ts';
import { placeholderOf } from '../../tools/placeholders.ts';
import { portalOf } from '../../tools/portals.ts';
import { renderOf } from '../../tools/renders.ts';
import { streamingOf } from '../../tools/streamings.ts';
import type { PanelStrings } from '../../words/strings.ts';
import { useFacePlace, type ShownAnswer } from './face-props.ts';
import { LazyFace } from './lazy-face.tsx';

interface Props {
  readonly call: FaceCall;
  readonly answer: ShownAnswer;
  /** Why the answer could not be read, and how to try again; null while it can. */
  readonly failed: { readonly why: Failure; readonly again: () => void } | null;
  /** What it has found so far, while it runs. */
  readonly items: readonly JsonValue[];
  /** It ran when its server left: nothing more will be heard of it. */
  readonly isLost: boolean;
  readonly strings: PanelStrings;
  /** Shows what is asked; null where nothing is. */
  readonly onQuestion: (() => void) | null;
}

/** What a call has come to: its Placeholder, its Streaming or its Render. */
export function CallFace(props: Props): JSX.Element {
  const { call, answer, failed, isLost, strings, onQuestion } = props;
  const { faces } = strings;
  if (isLost) return <Notice>{faces.lost}</Notice>;
  if (call.state === 'waiting')
    return (
      <Notice asks>
        {onQuestion === null ? faces.waited : faces.waiting}
        {onQuestion !== null && (
          <button type="button" class="small" onClick={onQuestion}>
            {faces.showQuestion}
          </button>
        )}
      </Notice>
    );
  if (call.state === 'running') return <Running {...props} />;
  if (answer === 'reading') return <Arriving call={call} />;
  if (failed !== null && answer === null) return <NotRead failed={failed} strings={strings} />;
  if (answer === null) return <NotKept {...props} />;
  return <Ended {...props} answer={answer} />;
}

const Notice = ({
  asks = false,
  children,
}: {
  /** A person is to do something. */
  readonly asks?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <p class={asks ? 'f-notice asks' : 'f-notice'} role="status">
    {children}
  </p>
);

function Arriving({ call }: { readonly call: FaceCall }): JSX.Element {
  const names = toolNames(call.tool);
  const given = { call, ...useFacePlace() };
  const Face = (names && placeholderOf(names.identifier, names.api)) ?? GeneralPlaceholder;
  return (
    <FaceBoundary name={`${call.tool} Placeholder`} fallback={<GeneralPlaceholder {...given} />}>
      <Face {...given} />
    </FaceBoundary>
  );
}

/** MCP streams no arguments: until the first progress there is nothing but that the call runs. */
function Running(props: Props): JSX.Element {
  const { call, items, strings } = props;
  const place = useFacePlace();
  if (call.progress === null) return <Arriving call={call} />;
  const names = toolNames(call.tool);
  return (
    <LazyFace
      key={`${call.callId} Streaming`}
      name={`${call.tool} Streaming`}
      load={names && streamingOf(names.identifier, names.api)}
      given={{ call, items, ...place }}
      loadGeneral={async () => (await import('../../components/general/streaming.tsx')).GeneralStreaming}
      meanwhile={<Arriving call={call} />}
      strings={strings}
    />
  );
}

function NotRead({
  failed: { why, again },
  strings: { faces, timeline },
}: {
  readonly failed: NonNullable<Props['failed']>;
  readonly strings: PanelStrings;
}): JSX.Element {
  return (
    <Notice asks>
      {faces.notRead}
      <code>{reveal(why.code)}</code>
      <bdi>{reveal([why.message, why.hint ?? ''].join(' '))}</bdi>
      <button type="button" class="small" onClick={again}>
        {timeline.again}
      </button>
    </Notice>
  );
}

function NotKept({ call: { handle }, strings: { faces } }: Props): JSX.Element {
  const { openOutput } = useFacePlace().actions;
  return (
    <Notice>
      {faces.notKept}
      {handle !== null && (
        <>
          {' '}
          {faces.storedAs} <code>{reveal(handle)}</code>
          {openOutput !== null && (
            <button type="button" class="small" onClick={() => openOutput(handle)}>
              {faces.openOutput}
            </button>
          )}
        </>
      )}
    </Notice>
  );
}

type EndedProps = Props & { readonly answer: FaceAnswer };

/** A failure is always shown: nothing about it is hidden on purpose. */
function Ended(props: EndedProps): JSX.Element | null {
  const { call, answer, strings } = props;
  const names = toolNames(call.tool);
  const control = names && displayControlOf(names.identifier, names.api);
  const shown = answer.error !== null ? 'open' : (control?.(answer) ?? 'open');
  if (shown === 'hidden') return null;
  if (shown === 'open') return <Result {...props} />;
  return (
    <details class="f-closed">
      <summary>{strings.faces.answer}</summary>
      <Result {...props} />
    </details>
  );
}

function Result(props: EndedProps): JSX.Element {
  const { call, answer, strings } = props;
  const place = useFacePlace();
  const names = toolNames(call.tool);
  return (
    <LazyFace
      key={`${call.callId} Render`}
      name={`${call.tool} Render`}
      load={names && renderOf(names.identifier, names.api)}
      given={{ call, answer, ...place }}
      loadGeneral={async () => (await import('../../components/general/render.tsx')).GeneralRender}
      meanwhile={<Arriving call={call} />}
      strings={strings}
    />
  );
}

/** The full view of a result: the tool's Portal, or its Render with all the room that there is. */
export function CallPortal({
  call,
  answer,
  strings,
}: {
  readonly call: FaceCall;
  readonly answer: FaceAnswer;
  readonly strings: PanelStrings;
}): JSX.Element {
  const names = toolNames(call.tool);
  const place = useFacePlace();
  return (
    <LazyFace
      name={`${call.tool} Portal`}
      load={names && (portalOf(names.identifier, names.api) ?? renderOf(names.identifier, names.api))}
      given={{ call, answer, ...place }}
      loadGeneral={async () => (await import('../../components/general/render.tsx')).GeneralPortal}
      meanwhile={<GeneralPlaceholder call={call} {...place} />}
      strings={strings}
    />
  );
}
