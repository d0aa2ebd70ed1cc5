import browser from 'webextension-polyfill';
import { reveal } from '../../../shared/policy/reveal.ts';
import { cut } from '../../../shared/cut.ts';
import type { InEach } from '../../words/languages.ts';
import { readLanguage } from '../../words/setting.ts';
import type { Question } from './state.ts';

const ID = 'spillway.question';
const NAME_UNITS = 60;

const titles: InEach<(agent: string) => string> = {
  en: (agent) => `${agent} asks for your permission`,
  'zh-CN': (agent) => `${agent} 请求你的许可`,
};

/** Calls back when a person clicks on the notification. To be called while the worker starts. */
export function onNoticeClick(listener: () => void): void {
  const listen = (): void =>
    browser.notifications.onClicked.addListener((id) => {
      if (id === ID) listener();
    });
  // The browser has the API only with the permission.
  if ('notifications' in browser && browser.notifications !== undefined) listen();
  else browser.permissions.onAdded.addListener(listen);
}

/** A notification of the system, where the person has allowed them. Nothing is decided in it: a click opens the window. */
export async function notify({ caller, origin, call }: Question): Promise<void> {
  if (!(await browser.permissions.contains({ permissions: ['notifications'] }))) return;
  const title = titles[await readLanguage()];
  await browser.notifications
    .create(ID, {
      type: 'basic',
      iconUrl: browser.runtime.getURL('icons/128.png'),
      title: title(reveal(cut(caller.name, NAME_UNITS))),
      message: `${reveal(cut(call.title, NAME_UNITS))} · ${reveal(cut(origin, 2 * NAME_UNITS))}`,
    })
    .catch(() => undefined);
}
