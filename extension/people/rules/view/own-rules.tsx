import { useEffect, useRef, useState } from 'preact/hooks';
import { Effect, type StoredPolicy } from '../../../../shared/people/policy.ts';
import {
  draftOf,
  type DraftProblems,
  EMPTY_DRAFT,
  inOrder,
  proposedDraft,
  newId,
  type OwnRule,
  readDraft,
  type RuleDraft,
  withoutRule,
  withRule,
} from '../model.ts';
import { changeRules } from '../storage.ts';
import { Select } from '../../../ui/select.tsx';
import { reveal } from '../../../../shared/core/policy/reveal.ts';
import { RISKS } from '../../../../shared/core/policy/names.ts';
import { rulesTexts, type RulesWords } from '../../../ui/words/en/rules.ts';
import { useTexts } from '../../../ui/words/use-texts.ts';

/** `say` announces a result. */
export type RulesProps = { readonly stored: StoredPolicy; readonly say: (text: string) => void };

/** The person's own rules in order of precedence, and the form that adds and changes them. */
export function OwnRules({ stored, say }: RulesProps) {
  const strings = useTexts(rulesTexts);
  const [editing, setEditing] = useState<OwnRule | null>(null);
  const [proposed, setProposed] = useState(() => proposedDraft(location.hash));
  const [saves, setSaves] = useState(0);
  const title = useRef<HTMLHeadingElement>(null);
  const dropProposal = (): void => {
    setProposed(null);
    history.replaceState(null, '', location.pathname);
  };
  const save = async (rule: OwnRule): Promise<void> => {
    await changeRules((now) => withRule(now, rule));
    if (editing === null) dropProposal();
    setEditing(null);
    setSaves((count) => count + 1);
    say(strings.saved);
    title.current?.focus();
  };
  const remove = async ({ id }: OwnRule): Promise<void> => {
    await changeRules((now) => withoutRule(now, id));
    if (editing?.id === id) setEditing(null);
    say(strings.removed);
    // The button disappears with its row, and would lose the focus.
    title.current?.focus();
  };
  return (
    <section aria-labelledby="own-title">
      <h2 id="own-title" ref={title} tabIndex={-1}>
        {strings.own}
      </h2>
      <p class="quiet">{strings.order}</p>
      {stored.rules.length === 0 ? (
        <p class="none above">{strings.none}</p>
      ) : (
        <ol class="own divided">
          {inOrder(stored.rules).map((rule) => (
            <li key={rule.id} class="cluster">
              <div>
                <p>
                  <span class={`effect ${EFFECT_TONES[rule.effect]}`}>{strings.effects[rule.effect]}</span>{' '}
                  <b>{formatRuleSites(rule, strings)}</b>
                </p>
                <p class="quiet">
                  {rule.risks?.map((risk) => strings.risks[risk]).join(', ') ?? strings.anyRisk}{' '}
                  {strings.forAgents({ agents: rule.agents?.map(reveal).join(', ') ?? strings.anyAgent })}
                </p>
              </div>
              <button
                type="button"
                aria-label={strings.editOf({ name: formatRuleSites(rule, strings) })}
                onClick={() => setEditing(rule)}
              >
                {strings.edit}
              </button>
              <button
                type="button"
                aria-label={strings.removeOf({ name: formatRuleSites(rule, strings) })}
                onClick={() => void remove(rule)}
              >
                {strings.remove}
              </button>
            </li>
          ))}
        </ol>
      )}
      <RuleForm
        // Another rule needs a fresh form.
        key={editing?.id ?? `new ${saves} ${proposed !== null}`}
        editing={editing}
        proposed={editing === null ? proposed : null}
        onSave={save}
        onCancel={() => (editing === null ? dropProposal() : setEditing(null))}
      />
    </section>
  );
}

/** The colour of what a rule does. */
export const EFFECT_TONES = { allow: 'good', ask: 'wait', deny: 'bad' } as const;

/** A field for a name, which the browser neither completes nor corrects. */
export const PLAIN = { type: 'text', autocomplete: 'off', spellcheck: false } as const;

/** At the head of a line. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const formatRuleSites = ({ sites, from }: OwnRule, { anySite }: RulesWords): string =>
  `${from === undefined ? '' : `${from.join(', ')} → `}${sites?.join(', ') ?? anySite}`;

interface RuleFormProps {
  /** Null for a new rule. */
  readonly editing: OwnRule | null;
  /** Filled in by a command. */
  readonly proposed: RuleDraft | null;
  readonly onSave: (rule: OwnRule) => Promise<void>;
  readonly onCancel: () => void;
}

/** The fields of a rule; errors appear at their fields. */
function RuleForm({ editing, proposed, onSave, onCancel }: RuleFormProps) {
  const strings = useTexts(rulesTexts);
  const [draft, setDraft] = useState(editing === null ? (proposed ?? EMPTY_DRAFT) : draftOf(editing));
  const [problems, setProblems] = useState<DraftProblems>({});
  const sites = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (editing !== null || proposed !== null) sites.current?.focus();
  }, []);
  const set = (more: Partial<RuleDraft>): void => setDraft({ ...draft, ...more });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const read = readDraft(editing?.id ?? newId(), draft, strings);
    setProblems('problems' in read ? read.problems : {});
    if ('rule' in read) await onSave(read.rule);
    else sites.current?.focus();
  };
  return (
    <form class="rule box" aria-labelledby="form-title" onSubmit={(event) => void submit(event)}>
      <h3 id="form-title">{editing === null ? strings.add : strings.change}</h3>
      {proposed !== null && (
        <p class="damage box" role="alert">
          {strings.proposed}
        </p>
      )}
      <label for="sites">{strings.sites}</label>
      <textarea
        id="sites"
        ref={sites}
        rows={3}
        spellcheck={false}
        value={draft.sites}
        aria-invalid={problems.sites !== undefined}
        aria-describedby="sites-note"
        onInput={({ currentTarget }) => set({ sites: currentTarget.value })}
      />
      <Note id="sites-note" note={strings.sitesNote} problem={problems.sites} />
      <label for="from">{strings.from}</label>
      <textarea
        id="from"
        rows={1}
        spellcheck={false}
        value={draft.from}
        aria-invalid={problems.from !== undefined}
        aria-describedby="from-note"
        onInput={({ currentTarget }) => set({ from: currentTarget.value })}
      />
      <Note id="from-note" note={strings.fromNote} problem={problems.from} />
      {draft.from.trim() === '' && <Kinds draft={draft} set={set} />}
      <label for="agents">{strings.agents}</label>
      <input
        id="agents"
        {...PLAIN}
        value={draft.agents}
        aria-invalid={problems.agents !== undefined}
        aria-describedby="agents-note"
        onInput={({ currentTarget }) => set({ agents: currentTarget.value })}
      />
      <Note id="agents-note" note={strings.agentsNote} problem={problems.agents} />
      <EffectField draft={draft} set={set} />
      {problems.rule !== undefined && (
        <p class="problem" role="alert">
          {problems.rule}
        </p>
      )}
      <div class="buttons cluster">
        <button type="submit" id="save">
          {strings.save}
        </button>
        {(editing !== null || proposed !== null) && (
          <button type="button" onClick={onCancel}>
            {strings.cancel}
          </button>
        )}
      </div>
    </form>
  );
}

type DraftProps = { readonly draft: RuleDraft; readonly set: (more: Partial<RuleDraft>) => void };

function Kinds({ draft: { risks }, set }: DraftProps) {
  const strings = useTexts(rulesTexts);
  return (
    <fieldset>
      <legend>{strings.kinds}</legend>
      {RISKS.map((risk) => (
        <label key={risk} class="check">
          <input
            type="checkbox"
            value={risk}
            checked={risks.includes(risk)}
            onChange={({ currentTarget: { checked } }) =>
              set({ risks: RISKS.filter((one) => (one === risk ? checked : risks.includes(one))) })
            }
          />
          {capital(strings.risks[risk])}
        </label>
      ))}
    </fieldset>
  );
}

function EffectField({ draft: { effect: chosen }, set }: DraftProps) {
  const strings = useTexts(rulesTexts);
  return (
    <>
      <label for="effect">{strings.effect}</label>
      <Select
        id="effect"
        value={chosen}
        options={Effect.options.map((effect) => [effect, strings.effects[effect]])}
        onChange={(value) => set({ effect: Effect.options.find((one) => one === value) ?? 'ask' })}
      />
    </>
  );
}

type NoteProps = { readonly id: string; readonly note: string; readonly problem: string | undefined };

const Note = ({ id, note, problem }: NoteProps) => (
  <p
    id={id}
    class={problem === undefined ? 'quiet' : 'problem'}
    role={problem === undefined ? undefined : 'alert'}
  >
    {problem ?? note}
  </p>
);
