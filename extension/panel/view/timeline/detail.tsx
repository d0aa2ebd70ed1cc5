import { Button } from '../../components/button.tsx';
import { usePanelWords } from '../panel-context.ts';
import type { ComponentChildren, ComponentProps, JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { WordsContext } from '../../../words/use-texts.ts';
import { ERRORS, isErrorCode } from '../../../../shared/errors.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import type { ShownCall } from '../../feed/lines.ts';
import { toolTitle } from '../../tools/faces.tsx';
import { formatDuration, formatMoment, formatSize } from '../../../words/format.ts';
import { CallTrace } from '../act-trace.tsx';
import { CallFace } from '../call-face.tsx';
import { type ShownAnswer } from '../call-inspector.tsx';
import { CopyButton } from '../../components/code-block.tsx';

interface Props {
  readonly call: ShownCall;
  readonly answer: ShownAnswer;
  /** Why it could not be read; null while it can. */
  readonly failed: ComponentProps<typeof CallFace>['failed'];
  readonly items: readonly JsonValue[];
  readonly isLost: boolean;
  readonly onClose: () => void;
  readonly onQuestion: (() => void) | null;
  /** Shows its answer in full; null without an answer. */
  readonly onPortal: (() => void) | null;
}

export function Detail({
  call,
  answer,
  failed,
  items,
  isLost,
  onClose,
  onQuestion,
  onPortal,
}: Props): JSX.Element {
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
      <CallFace
        call={call}
        answer={answer}
        failed={failed}
        items={items}
        isLost={isLost}
        onQuestion={onQuestion}
      />
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

interface FactsProps {
  readonly call: ShownCall;
  readonly isLost: boolean;
  /** Its error is above, with what to do. */
  readonly isExplained: boolean;
}

function Facts({ call, isLost, isExplained }: FactsProps): JSX.Element {
  const { timeline } = usePanelWords();
  const hint = call.code !== null && isErrorCode(call.code) ? ERRORS[call.code].hint : null;
  const args = Object.entries(call.args);
  return (
    <dl>
      <Fact name={timeline.tool}>
        <code>{reveal(call.tool)}</code>
      </Fact>
      <Fact name={timeline.outcome}>
        {isLost ? timeline.unknown : timeline.states[call.state]}
        {call.code !== null && (
          <>
            {' '}
            <code>{reveal(call.code)}</code>
          </>
        )}
      </Fact>
      {!isExplained && hint !== null && <Fact name={timeline.hint}>{hint}</Fact>}
      {!isExplained && call.message !== null && <Fact name={timeline.message}>{reveal(call.message)}</Fact>}
      {args.map(([name, value]) => (
        <Fact key={name} name={reveal(name)} isTheirs>
          <bdi>{reveal(String(value))}</bdi>
        </Fact>
      ))}
      <Fact name={timeline.agent}>
        <bdi>{reveal([call.agent, call.agentVersion ?? ''].join(' '))}</bdi>
      </Fact>
      <Fact name={call.state === 'running' ? timeline.began : timeline.ended}>{formatMoment(call.at)}</Fact>
      {call.durationMs !== null && <Fact name={timeline.took}>{formatDuration(call.durationMs)}</Fact>}
      {call.sizeBytes !== null && <Fact name={timeline.size}>{formatSize(call.sizeBytes)}</Fact>}
      {call.handle !== null && (
        <Fact name={timeline.handle}>
          <code>{reveal(call.handle)}</code>
        </Fact>
      )}
      {call.approvedBy !== null && <Fact name={timeline.approvedBy}>{reveal(call.approvedBy)}</Fact>}
      <Fact name={timeline.callId}>
        <code>{reveal(call.callId)}</code>
      </Fact>
      <Fact name={timeline.session}>
        <code>{reveal(call.session)}</code>
      </Fact>
    </dl>
  );
}

function Fact({
  name,
  isTheirs = false,
  children,
}: {
  readonly name: string;
  /** An argument of the call: an agent wrote it. */
  readonly isTheirs?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <>
      <dt>{isTheirs ? <code>{name}</code> : name}</dt>
      <dd>{children}</dd>
    </>
  );
}
