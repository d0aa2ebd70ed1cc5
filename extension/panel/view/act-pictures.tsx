import type { JSX } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import browser, { type Storage } from 'webextension-polyfill';
import { PICTURES_KEY, WANTED_KEY, picturesIn } from '../../ports/act-pictures.ts';
import { settingsTexts, type SettingsWords } from '../../words/parts.ts';
import { WordsContext } from '../components/words.ts';

/** What is stored below a key, as it is now; undefined until it is known. */
function useStored(area: Storage.StorageArea, key: string): unknown {
  const [value, setValue] = useState<unknown>();
  useEffect(() => {
    const take = (changes: Record<string, Storage.StorageChange>): void => {
      if (key in changes) setValue(changes[key]?.newValue);
    };
    area.onChanged.addListener(take);
    void area.get(key).then((stored) => setValue(stored[key]));
    return () => area.onChanged.removeListener(take);
  }, [area, key]);
  return value;
}

/** How the page looked before a call and after it, where a person keeps that. */
export function CallPictures({ callId }: { readonly callId: string }): JSX.Element | null {
  const { before, after } = settingsTexts[useContext(WordsContext)].pictures;
  const stored = useStored(browser.storage.session, PICTURES_KEY);
  const pictures = picturesIn(stored).find((each) => each.callId === callId);
  if (pictures === undefined) return null;
  const shown = [
    [before, pictures.before],
    [after, pictures.after],
  ] as const;
  return (
    <div class="act-pictures">
      {shown.map(
        ([name, picture]) =>
          picture !== null && (
            <figure key={name}>
              <img src={picture} alt={name} />
              <figcaption>{name}</figcaption>
            </figure>
          ),
      )}
    </div>
  );
}

/** Whether pictures of acts are kept. */
export function PicturesSwitch({
  words: { pictures },
  isFixed,
}: {
  readonly words: SettingsWords;
  /** It only shows. */
  readonly isFixed: boolean;
}): JSX.Element {
  const isWanted = useStored(browser.storage.local, WANTED_KEY) === true;
  const choose = (wanted: boolean): void => {
    void browser.storage.local.set({ [WANTED_KEY]: wanted });
    if (!wanted) void browser.storage.session.remove(PICTURES_KEY);
  };
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={isWanted}
        disabled={isFixed}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
      <span>
        {pictures.keep}
        <span class="quiet">{pictures.detail}</span>
      </span>
    </label>
  );
}
