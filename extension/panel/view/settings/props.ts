import type { PanelRequest, PanelState } from '../../protocol.ts';
import type { SettingsStrings } from '../../words/settings.ts';
import type { PanelStrings } from '../../words/strings.ts';

/** What each section of the settings is given. */
export interface SettingsProps {
  readonly state: PanelState;
  readonly strings: PanelStrings;
  readonly words: SettingsStrings;
  readonly request: (request: PanelRequest) => void;
}
