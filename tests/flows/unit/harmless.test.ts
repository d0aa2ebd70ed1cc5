import { expect, it } from 'vitest';
import { judgePlace } from '../../../extension/people/worker/judge.ts';
import type { ClientSession } from '../../../server/core/context.ts';
import type { ToolResult } from '../../../server/core/result.ts';
import { createFlows } from '../../../server/flows/index.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { Policy } from '../../../shared/people/evaluate.ts';

/* How often a person is asked about text in ordinary work: what pages show, then what the agent does. */

type Read = readonly [site: string, text: string];
type Act = readonly [site: string, args: JsonObject];
interface Task {
  readonly reads: readonly Read[];
  readonly acts: readonly Act[];
}

const open = (url: string): Act => [url, { url }];
const fill = (site: string, ...values: readonly string[]): Act => [
  site,
  { fields: Object.fromEntries(values.map((value, at) => [`Field ${at}`, value])) },
];
const task = (reads: readonly Read[], ...acts: readonly Act[]): Task => ({ reads, acts });

const TRACE = 'TypeError: Cannot read properties of undefined (reading "total") at Cart.sum (cart.ts:41:17)';
const ROW = '| Ada Lovelace | 12 St James Square, London | ada.lovelace@example.org | AB-2041-77 |';

const PUBLIC: Readonly<Record<string, Task>> = {
  'prices of two shops': task(
    [
      ['https://a.shop', 'USB-C cable 2 m, 100 W: $ 12.99'],
      ['https://b.shop', '9.99'],
    ],
    open('https://b.shop/search?q=USB-C+cable+2+m+100+W'),
  ),
  'prices of five shops': task(
    [['https://a.shop', 'Lamp Solveig 40 cm brass finish']],
    ...['b', 'c', 'd', 'e'].map((one) => open(`https://${one}.shop/?q=Lamp+Solveig+40+cm+brass+finish`)),
  ),
  weather: task(
    [['https://weather.example', 'Oslo, Monday: -3 °C, light snow in the afternoon, wind 4 m/s']],
    fill('https://diary.example', 'Oslo, Monday: -3 °C, light snow in the afternoon'),
  ),
  'a snippet': task(
    [['https://docs.example', 'const response = await fetch(url, { headers: { accept: "text/html" } });']],
    fill('https://play.example', 'const response = await fetch(url, { headers: { accept: "text/html" } });'),
  ),
  'a README': task(
    [['https://npm.example', 'Fast, unopinionated, minimalist web framework for Node.js']],
    open('https://search.example/?q=Fast%2C+unopinionated%2C+minimalist+web+framework'),
  ),
  'ten results': task(
    [['https://search.example', 'https://r1.example/a https://r2.example/b']],
    open('https://r1.example/a'),
    open('https://r2.example/b'),
  ),
  news: task(
    [
      [
        'https://news.example',
        'The council voted on Tuesday to open the bridge to cyclists from next spring.',
      ],
    ],
    fill(
      'https://translate.example',
      'The council voted on Tuesday to open the bridge to cyclists from next spring.',
    ),
  ),
  'a recipe': task(
    [['https://food.example', '250 g flour, 3 eggs, half a litre of milk, a pinch of salt']],
    fill('https://list.example', '250 g flour, 3 eggs, half a litre of milk'),
  ),
  'a timetable': task(
    [['https://rail.example', 'Dep. 08:14 Oslo S, arr. 15:02 Bergen, train R601']],
    fill('https://plan.example', 'Dep. 08:14 Oslo S, arr. 15:02 Bergen'),
  ),
  'an exchange rate': task(
    [['https://bank.example', '1 EUR = 11.7342 NOK']],
    fill('https://calc.example', '11.7342'),
  ),
  'an address': task(
    [['https://museum.example', 'Edvard Munchs Plass 1, 0194 Oslo']],
    open('https://map.example/?q=Edvard+Munchs+Plass+1%2C+0194+Oslo'),
  ),
  'a licence': task(
    [
      [
        'https://spdx.example',
        'Permission is hereby granted, free of charge, to any person obtaining a copy',
      ],
    ],
    fill(
      'https://form.example',
      'Permission is hereby granted, free of charge, to any person obtaining a copy',
    ),
  ),
  'a CVE': task(
    [['https://nvd.example', 'CVE-2026-20417 heap overflow in the parser of frames']],
    open('https://search.example/?q=CVE-2026-20417'),
  ),
  'a standard': task(
    [['https://w3.example', '<table><caption>Rates</caption></table>']],
    fill('https://validator.example', '<table><caption>Rates</caption></table>'),
  ),
  'a trace of public CI': task(
    [['https://ci.example', TRACE]],
    open(`https://search.example/?q=${encodeURIComponent(TRACE)}`),
  ),
  'an info box': task(
    [['https://wiki.example', 'Born 10 December 1815, London; died 27 November 1852, Marylebone']],
    fill('https://form.example', '10 December 1815', '27 November 1852'),
  ),
  'a public issue': task(
    [['https://git.example', 'Crash when the list is empty and a filter is set']],
    fill('https://hub.example', 'Crash when the list is empty and a filter is set'),
  ),
  'open data': task(
    [['https://data.example', 'year,rate\n2024,4.25\n2025,4.50\n2026,4.00']],
    fill('https://plot.example', 'year,rate\n2024,4.25\n2025,4.50\n2026,4.00'),
  ),
  'a job': task(
    [['https://jobs.example', 'Senior engineer, Trondheim, hybrid, start in March']],
    open('https://salary.example/?q=Senior+engineer+Trondheim'),
  ),
  'a site map': task(
    [['https://site.example', 'https://site.example/one https://site.example/two']],
    ['https://site.example', { urls: ['https://site.example/one', 'https://site.example/two'] }],
  ),
};

const MAIL = 'https://mail.corp.example';
const SAME: Readonly<Record<string, Task>> = {
  'a reply': task(
    [[MAIL, 'Can we move the review to Thursday at ten in the small room?']],
    fill(MAIL, '> Can we move the review to Thursday at ten in the small room? Yes.'),
  ),
  'an invoice': task([[MAIL, 'Invoice 20417733 of Halvorsen & Sons']], fill(MAIL, '20417733')),
  'a ticket': task([['https://desk.corp.example', TRACE]], fill('https://desk.corp.example', TRACE)),
  'a wiki page': task(
    [['https://wiki.corp.example', 'How to restart the northern gateway after a power cut']],
    fill('https://wiki.corp.example', 'How to restart the northern gateway after a power cut'),
  ),
  'an event': task(
    [[MAIL, 'Board meeting, Thursday, in the room above the library']],
    open('https://cal.corp.example/?q=Board+meeting%2C+Thursday%2C+in+the+room+above+the+library'),
  ),
  'a return': task(
    [['https://a.shop.example', 'Order AB-2041-77X, lamp Solveig']],
    fill('https://b.shop.example', 'AB-2041-77X'),
  ),
  'a detail': task(
    [['https://admin.corp.example', ROW]],
    open('https://admin.corp.example/users/ada.lovelace@example.org'),
  ),
  docs: task(
    [['https://app.corp.example', 'The gateway refuses frames that are larger than four kilobytes']],
    open('https://docs.corp.example/?q=The+gateway+refuses+frames+that+are+larger'),
  ),
  'a sheet': task(
    [['https://sheet.corp.example', ROW]],
    fill('https://sheet.corp.example', 'Ada Lovelace', 'AB-2041-77'),
  ),
  'a note': task(
    [['https://crm.corp.example', ROW]],
    fill('https://crm.corp.example', 'Call Ada Lovelace about AB-2041-77'),
  ),
  'an issue': task([['https://git.corp.example', TRACE]], fill('https://git.corp.example', TRACE)),
  localhost: task(
    [['http://localhost:3000', TRACE]],
    open(`http://localhost:8080/log?text=${encodeURIComponent(TRACE)}`),
  ),
};

const to = (text: string, from: string, site: string, ...values: readonly string[]): Task =>
  task(
    [[from, text]],
    fill(site, ...(values.length === 0 ? [text] : values)),
    fill(site, ...(values.length === 0 ? [text] : values)),
  );
const OTHER: Readonly<Record<string, Task>> = {
  'a code': to('Your code is 402917', MAIL, 'https://login.example', '402917'),
  'a trace of localhost': to(TRACE, 'http://localhost:3000', 'https://git.example'),
  'a row': to(
    ROW,
    'https://crm.corp.example',
    'https://form.example',
    'Ada Lovelace',
    'ada.lovelace@example.org',
  ),
  'an invoice': to(
    'Invoice 20417733, 1,249.00, due in 30 days, IBAN DE89 3704 0044 0532 0130 00',
    MAIL,
    'https://books.example',
    '20417733',
    'DE89370400440532013000',
  ),
  'a booking': to(
    'Kick-off in Bergen, Tuesday 09:00 to 11:30, Hotel Norge',
    MAIL,
    'https://travel.example',
    'Kick-off in Bergen, Tuesday 09:00 to 11:30, Hotel Norge',
  ),
  'a carrier': to(ROW, 'https://crm.corp.example', 'https://carrier.example', '12 St James Square, London'),
  'a date': to(
    'Parental leave from 12 March 2026 until 4 September 2026',
    'https://hr.corp.example',
    'https://travel.example',
    '12 March 2026',
  ),
  'a status': to(
    TRACE,
    'https://desk.corp.example',
    'https://status.example',
    'Some carts show no total. We look into it.',
  ),
  'a parcel': to('Your order AB-2041-77X has left', MAIL, 'https://track.example', 'AB-2041-77X'),
  'a term': to(
    'Force majeure includes strikes at the ports of either party',
    'https://law.corp.example',
    'https://search.example',
    'force majeure strikes',
  ),
  'a sheet': to(ROW, 'https://sheet.corp.example', 'https://mail.example', ROW),
  'a chat': to(
    'The importer drops every second line when the file ends without a newline',
    'https://chat.corp.example',
    'https://git.example',
  ),
  'a page of a wiki': to(
    'How to restart the northern gateway after a power cut',
    'https://wiki.corp.example',
    'https://git.example',
  ),
  'a reference': to(
    'Reference RF18 5390 0754 7034',
    'https://bank.example.com',
    'https://form.example',
    'RF18539007547034',
  ),
  'a row of a server': to(ROW, 'upstream://crm', 'https://form.example', 'Ada Lovelace'),
  'a PDF': to(
    'The tenant pays the deposit of two rents before the keys are handed over',
    MAIL,
    'https://form.example',
  ),
  'an intranet': task(
    [['https://intra.corp.example', 'The northern gateway is replaced in week 12']],
    ['upstream://tickets', { text: 'The northern gateway is replaced in week 12' }],
  ),
  'forty rows': task(
    [['https://crm.corp.example', ROW.repeat(40)]],
    ...Array.from({ length: 40 }, () => fill('https://form.example', 'Ada Lovelace')),
  ),
};

const NONE: Readonly<Record<string, Task>> = {
  'other words': task(
    [[MAIL, 'Can we move the review to Thursday?']],
    open('https://search.example/?q=meeting+rooms+in+Oslo'),
  ),
  bookmarks: task(
    [
      [MAIL, 'Hello'],
      ['https://crm.corp.example', ROW],
    ],
    open('https://news.example/'),
    open('https://weather.example/oslo'),
  ),
  'a secret': task([[MAIL, 'Hello']], fill('https://login.example', 'secret:login')),
  'a file': task(
    [[MAIL, 'Hello']],
    ['https://form.example', { steps: ['upload label=File /home/ada/report.pdf'] }],
  ),
  clicks: task(
    [[MAIL, 'Settings, Continue']],
    ['https://form.example', { steps: ['click text=Settings', 'click text=Continue'] }],
  ),
  dictation: task(
    [[MAIL, 'Hello']],
    fill('https://form.example', 'Please deliver to the back door after five.'),
  ),
  greetings: task(
    [[MAIL, 'Best regards, Ada. Thank you for your understanding.']],
    fill('https://form.example', 'Thank you for your understanding.', 'Best regards'),
  ),
  dates: task(
    [[MAIL, 'Due on 30 November 2026 at 10:15, 2026-11-30, $ 1249.00']],
    fill('https://form.example', '30 November 2026', '2026-11-30', '1249.00'),
  ),
  choices: task(
    [[MAIL, 'Country: Norway\nPriority: High']],
    ['https://form.example', { steps: ['select label=Country Norway', 'click text=Continue'] }],
  ),
  defaults: task([[MAIL, 'Hello']], fill('https://form.example', 'en', '10', 'on')),
  'choices of many sites': task(
    [[MAIL, 'Administrator\nAda\nUnited Kingdom\nBerlin\nMeeting notes\nEurope/Berlin\nStatus: In progress']],
    fill('https://form.example', 'United Kingdom', 'Europe/Berlin', 'Administrator', 'Meeting notes'),
    ['https://form.example', { steps: ['select label=Status In progress'] }],
  ),
};

/** A person says yes for the session to each pair of sites that a card names. */
async function questionsOf({ reads, acts }: Task, isPrivate: boolean): Promise<number> {
  const session = { id: 's', name: 'test' } as ClientSession;
  const flows = createFlows({ mode: 'ask' });
  for (const [at, [site, text]] of reads.entries()) {
    const call = {
      call_id: `r${at}`,
      tool: 'read_page',
      title: '',
      args: {},
      is_editable: false,
      args_hash: '',
    };
    flows.heard({ caller: { session: 's', name: 'test' }, call }, [{ site, is_private: isPrivate }]);
    const result = { ok: true, content: [{ type: 'text', text }], state: {} } as unknown as ToolResult;
    flows.arrived({ callId: `r${at}`, tool: 'read_page', args: {}, session }, result);
  }
  const pairs = new Set<string>();
  let cards = 0;
  for (const [place, args] of acts) {
    await flows.ready(session);
    const sources = flows.sourcesOf({ callId: 'a', tool: 'interact', args, session }, args);
    const url = place.includes('/', 9) ? place : `${place}/`;
    const judging = { policy: new Policy(), flags: null, agent: 'test', sources };
    const judged = judgePlace(judging, { url, tabId: null, documentId: null }, ['navigate']);
    const asked = judged.sources.map((source) => `${source} → ${place}`).filter((pair) => !pairs.has(pair));
    if (asked.length > 0) cards += 1;
    for (const pair of asked) pairs.add(pair);
  }
  return cards;
}

it.each([
  ['of public pages', PUBLIC, false, 20, 0],
  ['within a site', SAME, true, 12, 0],
  ['from a private site to another', OTHER, true, 18, 15],
  ['without text of a site', NONE, true, 11, 0],
] as const)('tasks %s ask seldom', async (_what, tasks, isPrivate, count, asking) => {
  const asked = await Promise.all(
    Object.entries(tasks).map(async ([name, one]) => [name, await questionsOf(one, isPrivate)] as const),
  );
  expect(asked).toHaveLength(count);
  expect(asked.filter(([, cards]) => cards > 1)).toEqual([]);
  const some = asked.filter(([, cards]) => cards > 0).map(([name]) => name);
  expect(some.length, some.join()).toBe(asking);
});
