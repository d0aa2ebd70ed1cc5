import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/base/json.ts';
import { tokensOfText } from '../../../server/activity/meter.ts';
import { analyse } from '../../../server/trace/analysis.ts';
import { nodesOf, ownEvents, withNames } from '../../../server/trace/trace.runtime.ts';

const URL = 'https://mill.example/';
const OWN = 'chrome-extension://own/';
const OF = { url: URL, frames: ['F'] };

const read = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../fixtures/traces', `${name}.jsonl`), 'utf8');
const parse = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
const LOAD = parse(read('load'));
const ACTS = parse(read('acts'));

test('keeps the events of the frames of the tab, without headers and addresses of another tab', () => {
  const chunk = (url: string) => ({
    name: 'ProfileChunk',
    args: { data: { nodes: [{ url }, { url: URL }] } },
  });
  const other = { name: 'FunctionCall', args: { data: { frame: 'OTHER', url: 'https://other.example/' } } };
  const received = { name: 'ResourceReceiveResponse', pid: 7, args: { data: { frame: 'F' } } };
  const headers = [{ name: 'x-acme-sid', value: 'a1' }];
  const headed = { ...received, args: { data: { frame: 'F', headers } } };
  const [started, ...rest] = ownEvents([...LOAD, other, chunk('https://other.example/'), headed], OF);
  expect(rest).toEqual([...LOAD, chunk('other-tab:'), received]);
  expect(started).toMatchObject({ args: { data: { frames: [{ frame: 'F', url: URL, processId: 7 }] } } });
});

test('measures a load, and names causes', async () => {
  expect(nodesOf(LOAD, OF)).toEqual([3, 4]);
  expect(await analyse(withNames(ownEvents(LOAD, OF), { 3: 'h1.sails', 4: 'div#banner' }, OF), OWN)).toEqual({
    lcp: { ms: 2_600, verdict: 'needs work', element: 'h1.sails', parts: { ttfb: 51, render_delay: 2_549 } },
    cls: { score: 0.3, verdict: 'poor', shifts: ['0.300 at 900 ms, div#banner'] },
    inp: 'not measured: nobody clicked, tapped or typed',
    fcp_ms: 400,
    tbt: { ms: 300, verdict: 'needs work' },
    long_tasks: ['350 ms at 500 ms in grind, /mill.js:12'],
    render_blocking: ['/mill.css, 300 ms from 70 ms, 2 KiB'],
    costly_functions: [],
  });
});

test('measures acts: functions by their own time, without ours, and the slowest interaction', async () => {
  expect(nodesOf(ACTS, OF)).toEqual([6]);
  expect(await analyse(withNames(ownEvents(ACTS, OF), { 6: 'button' }, OF), OWN)).toMatchObject({
    lcp: 'not measured: no load was recorded',
    costly_functions: ['20 ms grind /mill.js:12', '10 ms sift /:12'],
    inp: { event: 'click on button at 100 ms', ms: 300, verdict: 'needs work', parts: { processing: 200 } },
    tbt: { ms: 250 },
  });
});

test('measures a page in another process, and names no node by an id of the process before', async () => {
  const later = parse(read('load').replaceAll('"pid":7', '"pid":9').replaceAll('NAV', 'NEXT')).map((event) =>
    event['ts'] === 0 ? event : { ...event, ts: Number(event['ts']) + 9e6 },
  );
  expect(nodesOf([...ACTS, ...later], OF)).toEqual([3, 4]);
  const named = withNames(ownEvents([...ACTS, ...later], OF), { 4: 'div#banner', 6: 'wrong' }, OF);
  expect(JSON.stringify(named)).not.toContain('wrong');
  expect(await analyse(named, OWN)).toMatchObject({ lcp: { ms: 2_600 }, cls: { score: 0.3 } });
});

test('takes at most 1,500 tokens for the heaviest page', async () => {
  const long = (at: number) =>
    Math.abs(Math.sin(at + 1))
      .toString(36)
      .slice(2)
      .repeat(9);
  const texts = [...Array(40).keys()].map((at) =>
    (read('load') + read('acts'))
      .replaceAll(/mill\.(?:css|js)/g, `${long(at)}/$&`)
      .replaceAll(/grind|sift|sails/g, `$&${long(at)}`)
      .replaceAll('"requestId":"2"', `"requestId":"2.${at}"`)
      .replaceAll('0x1', `0x1${at}`)
      .replaceAll('"tid":8', `"tid":8${at}`)
      .replaceAll('"score":0.3', `"score":0.${at}`),
  );
  const events = parse(texts.join(''));
  const names = { 4: `div${long(4)}`, 6: `button${long(6)}` };
  const figures = await analyse(withNames(ownEvents(events, OF), names, OF), OWN);
  expect(figures).toMatchObject({
    render_blocking: { length: 5 },
    long_tasks: { length: 5 },
    costly_functions: { length: 10 },
    cls: { shifts: { length: 5 } },
  });
  const answer = { figures, trace: 'oh_AAAAAAAAAAAA', url: long(1) };
  expect(tokensOfText(JSON.stringify(answer))).toBeLessThan(1_500);
});
