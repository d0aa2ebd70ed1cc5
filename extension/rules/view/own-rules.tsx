import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { StoredPolicy } from '../../../shared/policy/policy.ts';
import { draftOf, EMPTY_DRAFT, inOrder, withoutRule, withRule, type OwnRule } from '../model.ts';
import { changeRules } from '../storage.ts';
import type { RulesStrings } from '../words/strings.ts';
import { RuleForm } from './rule-form.tsx';

interface Props {
  readonly stored: StoredPolicy;
  readonly strings: RulesStrings;
  /** Says what was done. */
  readonly say: (text: string) => void;
}

/** The person's own rules in the order in which they decide, and the form that adds and changes them. */
export function OwnRules({ stored, strings, say }: Props): JSX.Element {
  const [editing, setEditing] = useState<OwnRule | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const save = async (rule: OwnRule): Promise<void> => {
    await changeRules((now) => withRule(now, rule));
    setEditing(null);
    say(strings.saved);
    title.current?.focus();
  };
  const remove = async ({ id }: OwnRule): Promise<void> => {
    await changeRules((now) => withoutRule(now, id));
    if (editing?.id === id) setEditing(null);
    say(strings.removed);
    // The button goes with its row, and the focus would be lost.
    title.current?.focus();
  };
  return (
    <section aria-labelledby="own-title">
      <h2 id="own-title" ref={title} tabIndex={-1}>
        {strings.own}
      </h2>
      <p class="quiet">{strings.order}</p>
      {stored.rules.length === 0 ? (
        <p class="none">{strings.none}</p>
      ) : (
        <ol class="own">
          {inOrder(stored.rules).map((rule) => (
            <li key={rule.id}>
              <RuleText rule={rule} strings={strings} />
              <button
                type="button"
                aria-label={strings.editOf(nameOf(rule, strings))}
                onClick={() => setEditing(rule)}
              >
                {strings.edit}
              </button>
              <button
                type="button"
                aria-label={strings.removeOf(nameOf(rule, strings))}
                onClick={() => void remove(rule)}
              >
                {strings.remove}
              </button>
            </li>
          ))}
        </ol>
      )}
      <RuleForm
        // Another rule is another form.
        key={editing?.id ?? `new ${stored.rules.length}`}
        id={editing?.id ?? null}
        draft={editing === null ? EMPTY_DRAFT : draftOf(editing)}
        strings={strings}
        onSave={save}
        onCancel={editing === null ? null : () => setEditing(null)}
      />
    </section>
  );
}

const nameOf = ({ sites }: OwnRule, { anySite }: RulesStrings): string => sites?.join(', ') ?? anySite;

function RuleText({ rule, strings }: Pick<Props, 'strings'> & { readonly rule: OwnRule }): JSX.Element {
  const { risks, agents, effect } = rule;
  return (
    <div>
      <p>
        <span class={`effect ${effect}`}>{strings.effects[effect]}</span> <b>{nameOf(rule, strings)}</b>
      </p>
      <p class="quiet">
        {risks === null ? strings.anyRisk : risks.map((risk) => strings.risks[risk].toLowerCase()).join(', ')}{' '}
        {strings.forAgents(agents?.join(', ') ?? strings.anyAgent)}
      </p>
    </div>
  );
}
