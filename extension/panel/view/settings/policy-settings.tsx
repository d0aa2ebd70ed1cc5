import type { JSX } from 'preact';
import type { Risk } from '../../../../shared/policy/risks.ts';
import { formatList } from '../../../words/format.ts';
import type { SettingsProps } from './props.ts';

interface Props extends SettingsProps {
  readonly onRules: () => void;
}

/** What the rules in force say, and what asks and answers. */
export function PolicySettings({ state, strings, words: settings, request, onRules }: Props): JSX.Element {
  const { kinds } = strings;
  const { policy, own, isPanel } = state;
  const named = (risks: readonly Risk[]): string =>
    risks.length === 0 ? settings.none : formatList(risks.map((risk) => kinds[risk]));
  return (
    <section aria-labelledby="policy-title">
      <h2 id="policy-title">{settings.policy}</h2>
      {policy.isDamaged && <p class="notice">{settings.damaged}</p>}
      <dl class="facts">
        <dt>{settings.allowed}</dt>
        <dd>{named(policy.allowed)}</dd>
        <dt>{settings.asked}</dt>
        <dd>{named(policy.asked)}</dd>
        <dt>{settings.denied}</dt>
        <dd>{named(policy.denied)}</dd>
      </dl>
      <p class="quiet">{settings.elsewhere(policy.rules)}</p>
      <label class="switch">
        <input
          type="checkbox"
          checked={own.asks}
          disabled={!isPanel}
          onChange={({ currentTarget }) => request({ type: 'asks', asks: currentTarget.checked })}
        />
        <span>
          {settings.asks}
          {!own.asks && <span class="quiet">{settings.asksOff}</span>}
        </span>
      </label>
      <label class="switch">
        <input
          type="checkbox"
          checked={own.clientAnswers}
          disabled={!isPanel}
          onChange={({ currentTarget }) =>
            request({ type: 'client_answers', areAllowed: currentTarget.checked })
          }
        />
        <span>
          {settings.clientAnswers}
          <span class="quiet">{settings.clientAnswersDetail}</span>
        </span>
      </label>
      <button type="button" class="small" onClick={onRules}>
        {settings.rules}
      </button>
    </section>
  );
}
