import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { StoredPolicy } from '../../../shared/policy/policy.ts';
import { SITE_LISTS, type SiteListName } from '../../../shared/policy/site-lists.ts';
import { readSites, withAdded, withEntry } from '../model.ts';
import { changeRules } from '../storage.ts';
import type { RulesStrings } from '../words/strings.ts';

interface Props {
  readonly name: SiteListName;
  readonly stored: StoredPolicy;
  readonly strings: RulesStrings;
  readonly say: (text: string) => void;
}

/** A list that ships, whose entries can be switched off, and what a person adds to it. */
export function SiteList({ name, stored, strings, say }: Props): JSX.Element {
  const { off = [], added = [] } = stored.lists[name] ?? {};
  const entries: readonly string[] = SITE_LISTS[name];
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? added.join('\n');
  const { sites, wrong } = readSites(shown);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (wrong !== null) return;
    await changeRules((now) => withAdded(now, name, sites));
    setText(null);
    say(strings.saved);
  };
  const on = entries.filter((entry) => !off.includes(entry)).length + added.length;
  return (
    <details class="list" id={`list-${name}`}>
      <summary>
        {strings.lists[name]}{' '}
        <span class="quiet">{strings.listCount(on, entries.length + added.length)}</span>
      </summary>
      <ul>
        {entries.map((site) => (
          <li key={site}>
            <label class="check">
              <input
                type="checkbox"
                value={site}
                checked={!off.includes(site)}
                onChange={({ currentTarget: { checked: isOn } }) =>
                  void changeRules((now) => withEntry(now, name, { site, isOn }))
                }
              />
              {site}
            </label>
          </li>
        ))}
      </ul>
      <form onSubmit={(event) => void save(event)}>
        <label for={`added-${name}`}>{strings.yours}</label>
        <textarea
          id={`added-${name}`}
          rows={3}
          spellcheck={false}
          value={shown}
          aria-invalid={wrong !== null}
          aria-describedby={`added-${name}-problem`}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <p id={`added-${name}-problem`} class="problem" role="status">
          {wrong !== null && strings.notSite(wrong)}
        </p>
        <button type="submit" aria-disabled={wrong !== null}>
          {strings.saveList}
        </button>
      </form>
    </details>
  );
}
