import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Scope } from '../../../shared/policy/decision.ts';
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
  const { card } = strings;
  const [scope, setScope] = useState<Scope>('once');
  const [reason, setReason] = useState('');
  const id = useId();
  const { count } = question;
  const allow = isEdited ? card.allowEdited : count > 1 && scope === 'once' ? card.allowOne : card.allow;
  return (
    <footer class="decide">
      {question.scopes.length > 1 && (
        <ScopeChoice scopes={question.scopes} scope={scope} strings={strings} onChange={setScope} />
      )}
      <ReasonField label={card.reason} value={reason} onChange={setReason} />
      <div class="buttons">
        <PressButton id="deny" about={question.id} isLive={isLive} onPress={() => onDeny(reason)}>
          {count > 1 ? card.denyAll(count) : card.deny}
        </PressButton>
        <PressButton
          id="allow"
          class="allow"
          about={question.id}
          isLive={isLive}
          isBlocked={isBlocked}
          ignoresEnter
          aria-describedby={`${id}-space`}
          onPress={() => onAllow(scope)}
        >
          {allow}
        </PressButton>
      </div>
      <p id={`${id}-space`} class="quiet space">
        {card.space}
      </p>
    </footer>
  );
}

interface ScopeProps {
  readonly scopes: readonly Scope[];
  readonly scope: Scope;
  readonly strings: Strings;
  readonly onChange: (scope: Scope) => void;
}

/** How far a yes reaches. */
function ScopeChoice({ scopes, scope, strings, onChange }: ScopeProps): JSX.Element {
  const id = useId();
  return (
    <div class="scope">
      <label for={id}>{strings.card.scope}</label>
      <select
        id={id}
        value={scope}
        aria-describedby={`${id}-reach`}
        onChange={({ currentTarget: { value } }) => onChange(scopes.find((one) => one === value) ?? 'once')}
      >
        {scopes.map((one) => (
          <option key={one} value={one}>
            {strings.scopes[one].name}
          </option>
        ))}
      </select>
      <p id={`${id}-reach`} class="quiet">
        {strings.scopes[scope].detail}
      </p>
    </div>
  );
}
