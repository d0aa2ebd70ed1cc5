import { useEffect, useState } from 'preact/hooks';
import browser, { type Storage } from 'webextension-polyfill';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { followStored } from '../../core/ports/stored.ts';
import { TRACES_KEY, tracesIn, type TracedRequest } from '../trace-port.ts';
import { settingTexts } from '../../ui/words/en/parts.ts';
import { useTexts } from '../../ui/words/use-texts.ts';

/** Undefined until read. */
export function useStored(area: Storage.StorageArea, key: string): unknown {
  const [value, setValue] = useState<unknown>();
  useEffect(() => followStored(area, key, setValue), [area, key]);
  return value;
}

/** The page before and after a call, and its requests, if a person keeps them. */
export function CallTrace({ callId }: { readonly callId: string }) {
  const { before, after, requests } = useTexts(settingTexts).traces;
  const stored = useStored(browser.storage.session, TRACES_KEY);
  const trace = tracesIn(stored).find((each) => each.callId === callId);
  if (trace === undefined) return null;
  const shown = [
    [before, trace.before],
    [after, trace.after],
  ] as const;
  return (
    <>
      <div class="act-pictures">
        {shown.map(
          ([name, picture]) =>
            picture !== null && (
              <figure key={name}>
                <img class="c-picture fill" src={picture} alt={name} />
                <figcaption class="quiet">{name}</figcaption>
              </figure>
            ),
        )}
      </div>
      {trace.requests.length > 0 && (
        <section class="f-part">
          <h3>{requests}</h3>
          <ul class="marked quiet">
            {trace.requests.map(({ method, url, end }, at) => (
              <li key={at}>
                {method} <bdi>{reveal(url)}</bdi> <b class={isBad(end) ? 'bad' : undefined}>{end ?? '…'}</b>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const isBad = (end: TracedRequest['end']): boolean => typeof end === 'string' || (end ?? 0) >= 400;
