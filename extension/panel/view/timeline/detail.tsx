import { Button, codeOf, CopyButton, KeyValues } from '../../components/kit.tsx';
import { usePanelWords } from '../panel-context.tsx';
import type { ComponentChildren, ComponentProps, JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { WordsContext } from '../../../words/use-texts.ts';
import { ERRORS, isErrorCode } from '../../../../shared/errors.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import type { ShownCall } from '../../feed/lines.ts';
import { toolTitle } from '../../tools/faces.tsx';
import { formatDuration, formatMoment, formatSize } from '../../../words/format.ts';
import { CallTrace } from '../act-trace.tsx';
import { CallFace } from '../call-face.tsx';

interface Props extends ComponentProps<typeof CallFace> {
  readonly call: ShownCall;
  readonly onClose: () => void;
  /** Shows its answer in full; null without an answer. */
  readonly onPortal: (() => void) | null;
}

export function Detail({ onClose, onPortal, ...face }: Props): JSX.Element {
  const { call, answer, isLost } = face;
  const { timeline, faces } = usePanelWords();
  const language = useContext(WordsContext);
  return (
    <section class="detail" aria-labelledby="detail-title">
      <div class="line title">
        <h2 id="detail-title">{call.title === null ? toolTitle(language, call.tool) : reveal(call.title)}</h2>
        {onPortal !== null && <Button onClick={onPortal}>{faces.full}</Button>}
        <CopyButton text={JSON.stringify(call, null, 2)} />
        <Button onClick={onClose}>{timeline.close}</Button>
      </div>
      <CallFace {...face} />
      {call.state !== 'running' && <CallTrace callId={call.callId} />}
      <h3>{faces.call}</h3>
      <Facts
        call={call}
        isLost={isLost}
        isExplained={answer !== null && answer !== 'reading' && answer.error !== null}
      />
    </section>
  );
}

interface FactsProps extends Pick<Props, 'call' | 'isLost'> {
  /** Its error is above, with a hint. */
  readonly isExplained: boolean;
}

function Facts({ call, isLost, isExplained }: FactsProps): JSX.Element {
  const { timeline } = usePanelWords();
  const hint = call.code !== null && isErrorCode(call.code) ? ERRORS[call.code].hint : null;
  const facts: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[] = [
    [timeline.tool, codeOf(call.tool)],
    [
      timeline.outcome,
      <>
        {isLost ? timeline.unknown : timeline.states[call.state]} {codeOf(call.code)}
      </>,
    ],
    [timeline.hint, isExplained ? null : hint],
    [timeline.message, isExplained || call.message === null ? null : reveal(call.message)],
    ...Object.entries(call.args).map(
      ([name, value]) => [codeOf(name), <bdi>{reveal(String(value))}</bdi>] as const,
    ),
    [timeline.agent, <bdi>{reveal([call.agent, call.agentVersion ?? ''].join(' '))}</bdi>],
    [call.state === 'running' ? timeline.began : timeline.ended, formatMoment(call.at)],
    [timeline.took, call.durationMs === null ? null : formatDuration(call.durationMs)],
    [timeline.size, call.sizeBytes === null ? null : formatSize(call.sizeBytes)],
    [timeline.storedAs, codeOf(call.handle)],
    [timeline.approvedBy, call.approvedBy === null ? null : reveal(call.approvedBy)],
    [timeline.callId, codeOf(call.callId)],
    [timeline.session, codeOf(call.session)],
  ];
  return <KeyValues rows={facts} />;
}
