import { itDeep } from '../../support/depth.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../shared/base/json.ts';
import { runExported } from '../../support/exported-test.ts';
import { lendBrowser } from '../../support/launched.ts';
import type { LentChromium } from '../../support/lent-browser.ts';
import { file, serveFiles, type FileSite } from '../../support/file-site.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { testFolder } from '../../support/test-folder.ts';

// An agent's one-time work in a form becomes a tool, which another server repeats on a page with different refs.

const HTML = { 'content-type': 'text/html; charset=utf-8' };
/** Two buttons of the same name, distinguished by their headings; `renamed` has neither. */
const form = (save: string, before = ''): string => `<!doctype html><title>Mill</title><h1>Order</h1>${before}
  <h2>Delivery</h2><label>City <input id=city></label><button onclick="done.textContent = 'delivery ' + city.value">${save}</button>
  <h2>Invoice</h2><button onclick="done.textContent = 'invoice ' + city.value">${save}</button><p id=done>nothing</p>`;

/** Links, and buttons within rows, one of which comes after very many whose names begin as its own does. */
const LONG = 'A headline which is about many things of the world '.repeat(3).trim();
const SAY = 'onclick="done.textContent += this.dataset.say + \' \'"';
const ROWS = `<!doctype html><title>Mill</title><h1>Mill</h1>
  <p>Read <a href="#a" ${SAY} data-say=plain>wheat flour</a>, <a href="#b" ${SAY} data-say=long>${LONG}</a> and
  <a href="#c" ${SAY} data-say=dots>News · 5 min</a></p>
  <table><tr><th>No<th>Pay</tr>${Array.from({ length: 90 }, (_, id) => `<tr><td>Invoice ${id}<td><button ${SAY} data-say=pay${id}>Pay</button>`).join('')}</table>
  ${Array.from({ length: 55 }, (_, at) => `<button>Edit item ${at}</button>`).join('')}
  <button ${SAY} data-say=edit>Edit</button><p id=done></p>`;

let browser: LentChromium;
let site: FileSite;
const home = testFolder();
let server: StdioServer;
let page = form('Save');
const start = (args: readonly string[] = []): Promise<StdioServer> =>
  startServer({ env: browser.serverEnv, home, args });

beforeAll(async () => {
  browser = await lendBrowser('private');
  site = await serveFiles({
    '/order': (response, request) => file(page, HTML)(response, request),
    '/rows': file(ROWS, HTML),
    '/links': file('<title>Mill</title><a href=/order>Order flour</a><a href=/visit>Visit us</a>', HTML),
  });
  server = await start();
});

const refOf = (text: string, words: RegExp): string => words.exec(text)?.[1] ?? 'none';
const path = (): string => join(home, 'recipes', 'order_city.json');

it('is saved from what the session did', async () => {
  await server.call('navigate', { url: site.url('/order') });
  const snapshot = (await server.call('read_page', { format: 'snapshot' })).text;
  const city = refOf(snapshot, /(e\d+) textbox City/);
  const save = refOf(snapshot, /## Invoice[^]*?(e\d+) button Save/);
  const acted = await server.call('interact', { steps: [`fill ${city} Deventer`, `click ${save}`] });
  expect(acted.text).toContain('invoice Deventer');
  await server.call('read_page', { find: 'invoice' });

  const saved = await server.call('recipe_save', {
    from: {
      name: 'order_city',
      title: 'Order to a city',
      description: 'Orders to a city and says what the page answers.',
      calls: [4, 2, 1],
      parameters: { city: 'Deventer', page: site.url('/order') },
    },
  });
  expect(saved.isError, saved.text).toBe(false);
  const { steps } = JSON.parse(await readFile(path(), 'utf8')) as { steps: JsonObject[] };
  expect(steps.map(({ tool }) => tool)).toEqual(['navigate', 'interact', 'read_page']);
  expect(steps[1]).toMatchObject({
    args: {
      steps: [
        {
          do: 'fill',
          target: { role: 'textbox', name: 'City', near: 'under "Delivery"' },
          value: { $ref: 'params.city' },
        },
        { do: 'click', target: { role: 'button', name: 'Save', near: 'under "Invoice"' } },
      ],
    },
  });
});

itDeep('becomes a Playwright test, which passes', async () => {
  const exported = await server.call('recipe_export', { name: 'order_city' });
  expect(exported.notes).toContain('s3: read_page');
  const expects = "await expect(page.locator('#done')).toHaveText('invoice Zutphen');";
  const stdout = await runExported(
    [exported.text.replace('{ test }', '{ expect, test }').replace(/\}\);\n$/, `  ${expects}\n});\n`)],
    {
      PARAM_CITY: 'Zutphen',
      PARAM_PAGE: site.url('/order'),
    },
  );
  expect(stdout).toContain('1 passed');
});

it('is a tool of a server that starts later, in a page where every ref is another', async () => {
  await server.close();
  server = await start(['--tools', 'default,recipes']);
  page = form('Save', '<button>New</button><input aria-label=Search><button>More</button>');
  const answer = await server.call('order_city', { city: 'Zwolle', page: site.url('/order') });
  expect(answer.isError, answer.text).toBe(false);
  expect(answer.text).toContain('invoice Zwolle');
});
