import { Button, codeOf, CopyButton, KeyValues, theirs } from '../../ui/kit.tsx';
import { usePanelWords } from '../../ui/frame/panel-context.tsx';
import type { ComponentProps } from 'preact';
import { useContext } from 'preact/hooks';
import { WordsContext } from '../../ui/words/use-texts.ts';
import { ERRORS, isErrorCode } from '../../../shared/base/errors.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import type { ShownCall } from '../../ui/frame/lines.ts';
import { toolTitle } from '../../ui/faces/faces.tsx';
import { formatDuration, formatMoment, formatSize } from '../../ui/words/format.ts';
import { CallTrace } from '../../act/panel/act-trace.tsx';
import { CallFace } from '../../ui/frame/call-face.tsx';
import { RowDetail } from '../../ui/frame/row-detail.tsx';

interface Props extends ComponentProps<typeof CallFace> {
  readonly call: ShownCall;
  readonly onClose: () => void;
  /** Shows its answer in full; null without an answer. */
  readonly onPortal: (() => void) | null;
}

const hintOf = (code: string | null): string | null =>
  code !== null && isErrorCode(code) ? ERRORS[code].hint : null;

export function Detail({ onClose, onPortal, ...face }: Props) {
  const { call, answer, isLost } = face;
  const { timeline, faces, ...strings } = usePanelWords();
  const language = useContext(WordsContext);
  // Its error is above, with a hint.
  const isExplained = answer !== null && answer !== 'reading' && answer.error !== null;
  return (
    <RowDetail
      title={call.title === null ? toolTitle(language, call.tool) : reveal(call.title)}
      buttons={
        <>
          {onPortal !== null && <Button onClick={onPortal}>{faces.full}</Button>}
          <CopyButton text={JSON.stringify(call, null, 2)} />
        </>
      }
      onClose={onClose}
    >
      <CallFace {...face} />
      {call.state !== 'running' && <CallTrace callId={call.callId} />}
      <h3>{faces.call}</h3>
      <KeyValues
        rows={[
          [strings.tool, codeOf(call.tool)],
          [
            strings.outcome,
            <>
              {isLost ? timeline.unknown : timeline.states[call.state]} {codeOf(call.code)}
            </>,
          ],
          [timeline.hint, isExplained ? null : hintOf(call.code)],
          [timeline.message, isExplained || call.message === null ? null : reveal(call.message)],
          ...Object.entries(call.args).map(([name, value]) => [codeOf(name), theirs(String(value))] as const),
          [strings.agent, theirs([call.agent, call.agentVersion ?? ''].join(' '))],
          [call.state === 'running' ? timeline.began : timeline.ended, formatMoment(call.at)],
          [strings.took, call.durationMs === null ? null : formatDuration(call.durationMs)],
          [strings.size, call.sizeBytes === null ? null : formatSize(call.sizeBytes)],
          [strings.storedAs, codeOf(call.handle)],
          [timeline.approvedBy, call.approvedBy === null ? null : reveal(call.approvedBy)],
          [timeline.callId, codeOf(call.callId)],
          [strings.session, codeOf(call.session)],
        ]}
      />
    </RowDetail>
  );
}
