import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Scope } from '../../../shared/policy/decision.ts';
import { isActing } from '../../../shared/policy/names.ts';
import type { ShownQuestion } from '../protocol.ts';
import type { Strings } from '../words/strings.ts';
import { PressButton, ReasonField } from './press-button.tsx';

interface Props {
  readonly question: ShownQuestion;
  readonly strings: Strings;
  readonly isLive: boolean;
  readonly isEdited: boolean;
  /** The edited arguments cannot be sent. */
  readonly isBlocked: boolean;
  readonly onAllow: (scope: Scope) => void;
  readonly onDeny: (reason: string) => void;
}

/** How long, yes or no. */
export function DecisionBar({
  question,
  strings,
  isLive,
  isEdited,
  isBlocked,
  onAllow,
  onDeny,
}: Props): JSX.Element {
  const { card, scopes } = strings;
  const [scope, setScope] = useState<Scope>(question.scope);
  const [reason, setReason] = useState('');
  const id = useId();
  const { count } = question;
  const lasts = question.scopes.length > 1;
  const allow = isEdited
    ? card.allowEdited
    : count > 1 && scope === 'once'
      ? card.allowOne
      : lasts
        ? scopes[scope].allow
        : card.allow;
  const yes = {
    class: 'allow',
    about: question.id,
    isLive,
    isBlocked,
    ignoresEnter: true,
    'aria-describedby': `${id}-reach ${id}-space`,
  };
  return (
    <footer class="decide">
      {lasts && (
        <div class="scope">
          <label for={`${id}-scope`}>{card.scope}</label>
          <select
            id={`${id}-scope`}
            value={scope}
            aria-describedby={`${id}-reach`}
            onChange={({ currentTarget: { value } }) =>
              setScope(question.scopes.find((one) => one === value) ?? 'once')
            }
          >
            {question.scopes.map((one) => (
              <option key={one} value={one}>
                {scopes[one].name}
              </option>
            ))}
          </select>
        </div>
      )}
      <ReasonField label={card.reason} value={reason} onChange={setReason} />
      <div class="buttons">
        <PressButton id="deny" about={question.id} isLive={isLive} onPress={() => onDeny(reason)}>
          {count > 1 ? card.denyAll(count) : card.deny}
        </PressButton>
        <PressButton {...yes} id="allow" onPress={() => onAllow(scope)}>
          {allow}
        </PressButton>
        {lasts && scope !== 'task' && !isEdited && (
          <PressButton {...yes} id="allow-session" onPress={() => onAllow('task')}>
            {scopes.task.allow}
          </PressButton>
        )}
      </div>
      <p id={`${id}-reach`} class="quiet space">
        {lasts && (isActing(question.risks) ? card.lastingActs : card.lastingKind)}
      </p>
      <p id={`${id}-space`} class="quiet space">
        {card.space}
      </p>
    </footer>
  );
}
