import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { tryAddress } from '../model.ts';
import type { StoredRules } from '../storage.ts';
import type { RulesStrings } from '../words/strings.ts';

interface Props {
  readonly rules: StoredRules;
  readonly strings: RulesStrings;
}

/** What the rules say of an address that a person types, and which of them says it. */
export function TryAddress({ rules, strings }: Props): JSX.Element {
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
            type="text"
            autocomplete="off"
            spellcheck={false}
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
            type="text"
            autocomplete="off"
            spellcheck={false}
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
          <caption class="unseen">{strings.tryCaption(address)}</caption>
          <thead>
            <tr>
              <th scope="col">{strings.kind}</th>
              <th scope="col">{strings.effect}</th>
              <th scope="col">{strings.because}</th>
            </tr>
          </thead>
          <tbody>
            {tried.map(({ risk, effect, rule }) => (
              <tr key={risk}>
                <th scope="row">{strings.risks[risk]}</th>
                <td>
                  <span class={`effect ${effect}`}>{strings.effects[effect]}</span>
                </td>
                <td class="quiet">{strings.ruleName(rule)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
