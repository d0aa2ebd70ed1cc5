import browser from 'webextension-polyfill';
import { useEffect, useId, useState } from 'preact/hooks';
import { stringOrEmpty } from '../../../shared/base/json.ts';
import { useCardWords } from '../../ui/words/en/card.ts';
import type { FileChoosersProps } from './file-choosers.tsx';

const KEY = 'save_folder';
/** The server may run on another system. */
const WHOLE_PATH = /^(?:~?[/\\]|~$|[A-Za-z]:[/\\])/;

/** A field for the folder that gets a copy of a download. It begins with the last one of this run of the browser. */
export function SaveFolder({ question: { id: question }, send, onChange }: FileChoosersProps) {
  const { files: words } = useCardWords();
  const [folder, setFolder] = useState<string | null>(null);
  const id = useId();
  const change = (path: string): void => {
    const name = path.trim();
    setFolder(path);
    onChange({
      isBlocked: !WHOLE_PATH.test(name),
      give: async (token, decide) => {
        await browser.storage.session.set({ [KEY]: name });
        send({ type: 'choose', question, token, step: 0, file: 0, name, data: '' });
        decide();
      },
    });
  };
  useEffect(() => void browser.storage.session.get(KEY).then((kept) => change(stringOrEmpty(kept[KEY]))), []);
  // A field that fills itself late would replace what the person has typed.
  if (folder === null) return null;
  return (
    <div class="ask-field stack">
      <label for={id}>{words.saveIn}</label>
      <input
        id={id}
        value={folder}
        maxLength={300}
        spellcheck={false}
        autocomplete="off"
        aria-describedby={`${id}-note`}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <p id={`${id}-note`} class="quiet note">
        {words.saveNote}
      </p>
    </div>
  );
}
