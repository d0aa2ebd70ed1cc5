import type { JSX } from 'preact';
import { NO_CHANGES } from '../../../shared/policy/policy.ts';
import { salvage } from '../model.ts';
import { changeRules, dropKept, type StoredRules } from '../storage.ts';
import type { RulesStrings } from '../words/strings.ts';
import { saveFile } from './files.tsx';

interface Props {
  readonly rules: StoredRules;
  readonly strings: RulesStrings;
}

const FILE = 'spillway-rules-damaged.json';

/** That rules could not be read, and what can be done about it. */
export function Damage({ rules: { damaged, kept }, strings }: Props): JSX.Element | null {
  const found = damaged ?? kept;
  if (found === undefined) return null;
  const { policy, lost } = salvage(found);
  return (
    <div class="damage" role="alert">
      <p>{damaged === undefined ? strings.kept : strings.damaged}</p>
      <div class="buttons">
        <button type="button" onClick={() => saveFile(FILE, found)}>
          {strings.exportDamaged}
        </button>
        {damaged === undefined ? (
          <button type="button" onClick={() => void dropKept()}>
            {strings.dropKept}
          </button>
        ) : (
          <>
            <button type="button" id="recover" onClick={() => void changeRules(() => policy)}>
              {strings.recover(policy.rules.length, lost)}
            </button>
            <button type="button" onClick={() => void changeRules(() => NO_CHANGES)}>
              {strings.startAfresh}
            </button>
          </>
        )}
      </div>
    </div>
  );
}
