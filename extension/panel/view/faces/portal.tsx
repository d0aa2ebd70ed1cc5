import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FaceAnswer, FaceCall } from '../../tools/face.ts';
import type { PanelStrings } from '../../words/strings.ts';
import { CallInspector } from './call-inspector.tsx';
import { CallPortal } from './call-face.tsx';

interface Props {
  readonly call: FaceCall;
  readonly answer: FaceAnswer;
  readonly strings: PanelStrings;
  readonly onClose: () => void;
}

/**
 * The full view of a call, over the part of the panel that it was opened from. What a person is asked stays above it. The
 * focus moves into it, and returns to where it was.
 */
export function Portal({ call, answer, strings, onClose }: Props): JSX.Element {
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    title.current?.focus();
    return () => {
      // What is behind it cannot be focused while it is inert.
      queueMicrotask(() => before instanceof HTMLElement && before.focus());
    };
  }, []);
  return (
    <section
      class="portal"
      role="dialog"
      aria-labelledby="portal-title"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div class="line title">
        <h2 id="portal-title" ref={title} tabIndex={-1}>
          <CallInspector call={call} />
        </h2>
        <button type="button" class="small" onClick={onClose}>
          {strings.timeline.close}
        </button>
      </div>
      <CallPortal call={call} answer={answer} strings={strings} />
    </section>
  );
}
