import type { ComponentChildren, JSX } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { JsonValue } from '../../../../shared/json.ts';
import type { ShownCall } from '../../feed/lines.ts';
import type { Failure } from '../../feed/failure.ts';
import type { PanelFeed } from '../../feed/panel-feed.ts';
import type { Rows } from '../../feed/segments.ts';
import type { FaceAnswer } from '../../tools/face.ts';
import { ActionsContext, type ShownAnswer } from '../faces/face-props.ts';

/** Faces below it can open the full view. */
export function FaceScope({
  onPortal,
  children,
}: {
  readonly onPortal: (() => void) | null;
  readonly children: ComponentChildren;
}): JSX.Element {
  const actions = useContext(ActionsContext);
  return (
    <ActionsContext.Provider value={{ ...actions, openPortal: onPortal }}>{children}</ActionsContext.Provider>
  );
}

interface ReadAnswer {
  readonly answer: ShownAnswer;
  /** Why it could not be read, and how to try again; null while it can. */
  readonly failed: { readonly why: Failure; readonly again: () => void } | null;
}

/** What a call answered. It is read when the call is opened. */
export function useAnswer(call: ShownCall | null, { results }: PanelFeed): ReadAnswer {
  const { home = null, callId = '', state = 'running' } = call ?? {};
  const read = useMemo(
    () =>
      home === null || state === 'running' || state === 'waiting'
        ? null
        : {
            answer: results.of(home, callId),
            failure: results.failureOf(home, callId),
            again: () => results.retry(home, callId),
          },
    [results, home, callId, state],
  );
  const why = read?.failure.value ?? null;
  return {
    answer: read?.answer.value ?? null,
    failed: read === null || why === null ? null : { why, again: read.again },
  };
}

/** The full view of a call's answer. */
export function useFull(
  call: ShownCall | null,
  answer: ShownAnswer,
): {
  /** What it shows; null while it is closed. */
  readonly full: FaceAnswer | null;
  /** Null where there is nothing to show. */
  readonly open: (() => void) | null;
  readonly close: () => void;
} {
  const [of, setOf] = useState<string | null>(null);
  const isHere = call !== null && answer !== null && answer !== 'reading';
  useEffect(() => setOf(null), [call?.callId]);
  return {
    full: isHere && of === call.callId ? answer : null,
    open: isHere ? () => setOf(call.callId) : null,
    close: () => setOf(null),
  };
}

/** It is shown as it was, no server does it any longer, and none has said how it ended. */
export const isLost = (call: ShownCall, rows: Rows, feed: PanelFeed): boolean =>
  call.state === 'running' && rows.ofCall(call.callId) === null && !feed.agents.hasCall(call.callId);

/** What work that has not ended has found so far. */
export const itemsOf = ({ state, callId }: ShownCall, { runItems }: PanelFeed): readonly JsonValue[] =>
  (state === 'running' ? runItems.ofCall(callId)?.items.value : undefined) ?? [];
