import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { createProfile } from '../../support/browser.ts';
import { file, serveFiles, type FileSite } from '../../support/file-site.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { spawnBrowser, type SpawnedBrowser } from '../worker/browser.ts';
import { CdpTarget } from '../worker/cdp-target.ts';
import { openSidePanel, until } from './side-panel.ts';

/* What a person does by pointer and keys becomes a recipe, which is replayed and exported. */

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const LOG = `<script>
  const log = (what) => { done.textContent += what + ';'; };
  document.addEventListener('click', ({ target }) => { if (target.dataset.say) log(target.dataset.say); });
</script>`;
const ORDER = `<!doctype html><title>Mill</title><h1>Order</h1><p id=done></p>${LOG}
  <form action=/sent><label>City <input id=city name=city></label>
  <label>Password <input id=password type=password name=password></label></form>
  <button data-say=add>Add</button>`;

const profile = createProfile();
const home = join(profile.folder, 'home');
let browser: SpawnedBrowser;
let server: StdioServer;
let site: FileSite;
let panel: CdpTarget;
let tab: CdpTarget;

const shows = (what: string): Promise<unknown> =>
  until(what, async () => (await panel.evaluate<string>('document.body.innerText')).includes(what));
const type = async (selector: string, text: string): Promise<void> => {
  await tab.click(selector);
  await tab.send('Input.insertText', { text });
};
const recipeOf = (name: string): { readonly steps: readonly JsonObject[]; readonly parameters: JsonObject } =>
  JSON.parse(readFileSync(join(home, 'recipes', `${name}.json`), 'utf8')) as never;

async function show(path: string): Promise<void> {
  const opened = await server.call('navigate', { url: site.url(path) });
  expect(opened.isError, opened.text).toBe(false);
  await panel.evaluate(
    `chrome.tabs.query({ url: ${JSON.stringify(site.url(path))} }).then(([{ id }]) => chrome.tabs.update(id, { active: true })).then(() => null)`,
  );
  tab = await until('the page', () => CdpTarget.find(browser, 'page', site.url(path)));
}
async function start(): Promise<void> {
  await until('the button', () =>
    panel.evaluate<boolean>("document.querySelector('.record > .c-button') !== null"),
  );
  await panel.click('.record > .c-button');
  await shows('Recording what you do');
}
async function keep(name: string): Promise<void> {
  await panel.click('.record .c-button.stop');
  await shows('Keep as recipe');
  await panel.evaluate(
    `(() => { const at = document.querySelector('.record form > input'); at.value = ${JSON.stringify(name)}; at.dispatchEvent(new InputEvent('input', { bubbles: true })); })()`,
  );
  await panel.click('.record button[type=submit]');
  await shows('Kept as');
}

beforeAll(async () => {
  site = await serveFiles({ '/': file(ORDER, HTML) });
  browser = await spawnBrowser(profile.profile);
  server = await startServer({ env: profile.serverEnv, clientName: 'an-agent', home, args: ['--tools', 'default,recipes'] });
  panel = await openSidePanel(browser);
});
afterAll(async () => {
  await server.close();
  await browser.close();
  rmSync(profile.folder, { recursive: true, force: true });
});

it('becomes a recipe with the typed texts as parameters, which does the same in a new page', async () => {
  await show('/');
  await start();
  await type('#city', 'Deventer');
  await type('#password', 'overshot');
  await tab.click('[data-say=add]');
  await shows('Add');
  await keep('Order to a city');
  const { steps, parameters } = recipeOf('order_to_a_city');
  console.log(JSON.stringify({ steps, parameters }, null, 1));
  const run = await server.call('recipe_run', { name: 'order_to_a_city', args: { password: 'x' } });
  console.log(run.text);
});
