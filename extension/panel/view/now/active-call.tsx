import type { JSX } from 'preact';
import { reveal } from '../../../../shared/policy/reveal.ts';
import type { ActiveCall } from '../../feed/agents-store.ts';
import { formatElapsed, formatNumber } from '../../../words/format.ts';
import type { FaceCall } from '../../tools/face.ts';
import type { PanelStrings } from '../../words/strings.ts';
import { CallInspector } from '../faces/call-inspector.tsx';

interface Props {
  readonly call: ActiveCall;
  readonly now: number;
  readonly strings: PanelStrings;
}

const faceCallOf = ({ id, tool, args, progress }: ActiveCall): FaceCall => ({
  callId: id,
  tool,
  args,
  progress,
  state: 'running',
  code: null,
  handle: null,
  durationMs: null,
  sizeBytes: null,
});

/** What an agent does at the moment, for how long, and how far it is. */
export function ActiveCallRow({ call, now, strings }: Props): JSX.Element {
  const { progress } = call;
  return (
    <li class="active-call">
      <div class="line">
        <span class="what">
          <CallInspector call={faceCallOf(call)} />
        </span>
        <span class="quiet end">{formatElapsed(now - call.since)}</span>
      </div>
      {progress !== null && (
        <div class="line quiet">
          {progress.total !== null && (
            <progress
              max={progress.total}
              value={progress.done}
              aria-label={strings.now.progressOf(reveal(call.tool))}
            />
          )}
          <span>
            {progress.total === null
              ? formatNumber(progress.done)
              : strings.now.of(formatNumber(progress.done), formatNumber(progress.total))}
          </span>
          {progress.message !== null && <bdi class="subject">{reveal(progress.message)}</bdi>}
        </div>
      )}
    </li>
  );
}
