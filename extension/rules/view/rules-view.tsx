import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { SITE_LIST_NAMES } from '../../../shared/policy/site-lists.ts';
import { setAsks, type StoredRules } from '../storage.ts';
import type { RulesStrings } from '../words/strings.ts';
import { Damage } from './damage.tsx';
import { Files } from './files.tsx';
import { OwnRules } from './own-rules.tsx';
import { SiteList } from './site-list.tsx';
import { TryAddress } from './try-address.tsx';

interface Props {
  readonly rules: StoredRules;
  readonly strings: RulesStrings;
}

/** A person's rules: what they are, what they lead to, and how to change them. */
export function RulesView({ rules, strings }: Props): JSX.Element {
  const [said, say] = useState('');
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
        <Damage rules={rules} strings={strings} />
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
        <TryAddress rules={rules} strings={strings} />
        <OwnRules stored={rules.stored} strings={strings} say={say} />
        <section aria-labelledby="lists-title">
          <h2 id="lists-title">{strings.listTitle}</h2>
          <p class="quiet">{strings.listIntro}</p>
          {SITE_LIST_NAMES.map((name) => (
            <SiteList key={name} name={name} stored={rules.stored} strings={strings} say={say} />
          ))}
        </section>
        <Files stored={rules.stored} strings={strings} say={say} />
      </main>
    </>
  );
}
