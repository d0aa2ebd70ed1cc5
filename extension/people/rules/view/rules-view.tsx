import { useState } from 'preact/hooks';
import { SITE_LIST_NAMES, SITE_LISTS, type SiteListName } from '../../../../shared/core/policy/sites.ts';
import { changeRules, dropDamaged, setAsks, type StoredRules } from '../storage.ts';
import { capital, EFFECT_TONES, OwnRules, PLAIN, type RulesProps } from './own-rules.tsx';
import { StoredPolicy, type Rule } from '../../../../shared/people/policy.ts';
import { readSites, tryAddress, withAdded, withEntry, withOwnIds } from '../model.ts';
import { save } from '../../../ui/save.ts';
import { shownLocale } from '../../../ui/words/locale.ts';
import { rulesTexts, type RulesWords } from '../../../ui/words/en/rules.ts';
import { useTexts } from '../../../ui/words/use-texts.ts';

const nameOfRule = (
  { source, sites, id }: Rule & { readonly source: string },
  strings: RulesWords,
): string => {
  if (source !== 'person') return strings.shippedRules[id] ?? id;
  return sites === null
    ? strings.ownRuleEverywhere
    : strings.ownRule({ sites: new Intl.ListFormat(shownLocale()).format(sites) });
};

export function RulesView({ rules }: { readonly rules: StoredRules }) {
  const strings = useTexts(rulesTexts);
  const [said, say] = useState('');
  const { damaged, kept } = rules;
  const found = damaged ?? kept;
  return (
    <>
      <header>
        <img src="/icons/48.png" width="24" height="24" alt="" />
        <h1>{strings.title}</h1>
      </header>
      <main>
        <p>{strings.intro}</p>
        <p class="said" role="status">
          {said}
        </p>
        {/* The defaults apply until a person replaces what could not be read. */}
        {found !== undefined && (
          <div class="damage box" role="alert">
            <p>{damaged === undefined ? strings.kept : strings.damaged}</p>
            <div class="buttons cluster">
              <button type="button" onClick={() => saveFile('spillway-rules-damaged.json', found)}>
                {strings.exportDamaged}
              </button>
              <button type="button" onClick={() => void dropDamaged(damaged !== undefined)}>
                {strings.dropDamaged}
              </button>
            </div>
          </div>
        )}
        <label class="check">
          <input
            id="asks"
            type="checkbox"
            checked={rules.asks}
            aria-describedby="asks-detail"
            onChange={({ currentTarget }) => void setAsks(currentTarget.checked)}
          />
          {strings.asks}
        </label>
        <p class="quiet" id="asks-detail">
          {strings.asksDetail}
        </p>
        <TryAddress rules={rules} />
        <OwnRules stored={rules.stored} say={say} />
        <section aria-labelledby="lists-title">
          <h2 id="lists-title">{strings.listTitle}</h2>
          <p class="quiet">{strings.listIntro}</p>
          {SITE_LIST_NAMES.map((name) => (
            <SiteList key={name} name={name} stored={rules.stored} say={say} />
          ))}
        </section>
        <Files stored={rules.stored} say={say} />
      </main>
    </>
  );
}

/** Downloads a value as a JSON file. */
const saveFile = (name: string, value: unknown): void =>
  save(new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' }), name);

/** Export and import of the rules. */
function Files({ stored, say }: RulesProps) {
  const strings = useTexts(rulesTexts);
  const take = async (input: HTMLInputElement): Promise<void> => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    say(await importRules(await file.text(), strings));
    // Lets the same file be chosen again.
    input.value = '';
  };
  return (
    <section aria-labelledby="files-title">
      <h2 id="files-title">{strings.files}</h2>
      <div class="buttons cluster">
        <button type="button" id="export" onClick={() => saveFile('spillway-rules.json', stored)}>
          {strings.exportRules}
        </button>
      </div>
      <label for="import">{strings.importRules}</label>
      <input
        id="import"
        type="file"
        accept="application/json,.json"
        aria-describedby="import-note"
        onChange={({ currentTarget }) => void take(currentTarget)}
      />
      <p class="quiet" id="import-note">
        {strings.importNote}
      </p>
    </section>
  );
}

/** Imports a whole file or nothing. Returns the message to show. */
async function importRules(text: string, strings: RulesWords): Promise<string> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return strings.importFailed({ why: strings.notJson });
  }
  const parsed = StoredPolicy.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return strings.importFailed({ why: `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim() });
  }
  await changeRules(() => withOwnIds(parsed.data));
  return strings.imported({ count: parsed.data.rules.length });
}

/** A shipped list, whose entries can be switched off, and the person's additions. */
function SiteList({ name, stored, say }: RulesProps & { readonly name: SiteListName }) {
  const strings = useTexts(rulesTexts);
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
        <span class="quiet">{strings.listCount({ on, all: entries.length + added.length })}</span>
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
          {wrong !== null && strings.notSite({ text: wrong })}
        </p>
        <button type="submit" aria-disabled={wrong !== null}>
          {strings.saveList}
        </button>
      </form>
    </details>
  );
}

function TryAddress({ rules }: { readonly rules: StoredRules }) {
  const strings = useTexts(rulesTexts);
  const [address, setAddress] = useState('');
  const [agent, setAgent] = useState('');
  const tried = address.trim() === '' ? [] : tryAddress(address, agent.trim(), rules);
  return (
    <section aria-labelledby="try-title">
      <h2 id="try-title">{strings.try}</h2>
      <div class="fields">
        <label>
          {strings.address}
          <input
            id="try-address"
            {...PLAIN}
            placeholder={strings.addressExample}
            value={address}
            aria-invalid={tried === null}
            aria-describedby="try-problem"
            onInput={({ currentTarget }) => setAddress(currentTarget.value)}
          />
        </label>
        <label>
          {strings.agent}
          <input
            id="try-agent"
            {...PLAIN}
            placeholder={strings.agentExample}
            value={agent}
            onInput={({ currentTarget }) => setAgent(currentTarget.value)}
          />
        </label>
      </div>
      <p id="try-problem" class="problem" role="status">
        {tried === null && strings.notAddress}
      </p>
      {tried !== null && tried.length > 0 && (
        <table>
          <caption class="unseen">{strings.tryCaption({ site: address })}</caption>
          <thead>
            <tr>
              <th scope="col">{strings.kind}</th>
              <th scope="col">{strings.effect}</th>
              <th scope="col">{strings.because}</th>
            </tr>
          </thead>
          <tbody>
            {tried.map(({ risk, rule }) => (
              <tr key={risk}>
                <th scope="row">{capital(strings.risks[risk])}</th>
                <td>
                  <span class={`effect ${EFFECT_TONES[rule.effect]}`}>{strings.effects[rule.effect]}</span>
                </td>
                <td class="quiet">{nameOfRule(rule, strings)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
