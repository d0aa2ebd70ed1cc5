import { reveal } from '../../../shared/core/policy/reveal.ts';
import { formatDuration, formatNumber, formatSize, formatTime } from '../../ui/words/format.ts';
import { asTime, code, figure, pageOf, wordFor } from '../../ui/shown.ts';
import { formatAddress } from '../../ui/text.ts';
import { face } from '../../ui/faces/blocks.tsx';
import type { Line, Mark, Maybe, Tone } from '../../ui/faces/face.ts';

const LEVELS: Readonly<Record<string, Tone>> = { error: 'bad', warning: 'wait', info: 'busy' };

const httpStatus = (status: Maybe<number>): readonly Mark[] =>
  status == null ? [] : [[status < 400 ? 'good' : 'bad', `HTTP ${status}`]];

export const BROWSER_RENDERS = {
  console: face('console', ({ value: { items }, words: { console: words } }) => {
    if (items?.length === 0) return [{ note: words.silent }];
    const lines = items?.map(({ level, time, location, text, stack = [] }): Line => ({
      marks: [[LEVELS[level] ?? 'plain', wordFor(words.levels, level)]],
      quiet: [figure(asTime(time), formatTime), location],
      text,
      blocks: [stack.length > 0 && { fold: words.stack, blocks: [{ text: stack.join('\n'), as: 'code' }] }],
    }));
    return [lines !== undefined && { items: lines, as: 'ordered' }];
  }),
  dialog: face('dialog', ({ value, words: { dialog: words, interact } }) => {
    const { answered, accepted, changes, next_dialog: next } = value;
    if (answered === undefined) return [];
    const how: Mark = accepted === true ? ['good', words.accepted] : ['off', words.dismissed];
    return [
      { line: { marks: [['plain', answered.type], how], text: `“${answered.message}”` } },
      pageOf(value),
      next !== undefined && { note: `${words.next} ${next.type} “${next.message}”`, asks: true },
      code(changes, 'diff', interact.parts.change),
    ];
  }),
  fetch: face('fetch', ({ answer: { picture }, text, state, words: { fetch: words, type } }) => {
    const { url, status, file_name: title, size_bytes: size, content_type: mimeType, truncated } = state;
    const marks = [...httpStatus(status), truncated === true && (['wait', words.truncated] as const)];
    const headers = Object.entries(state.headers ?? {});
    return [
      pageOf({ url, title }, { marks, quiet: [figure(size, formatSize)] }),
      { facts: [[type, mimeType]] },
      headers.length > 0 && {
        fold: words.headers,
        blocks: [{ facts: headers.map(([name, value]) => [reveal(name), value]) }],
      },
      picture !== null && { picture, alt: words.picture },
      // A PDF is read as Markdown.
      state.pages === undefined ? code(text, 'code', words.body) : code(text, 'markdown'),
    ];
  }),
  find: face('find', ({ text, state, words: { find: words } }) => {
    const { found, more = 0 } = state;
    const count = (all: number): string =>
      more > 0
        ? words.foundOf({ found: formatNumber(all), all: formatNumber(all + more) })
        : words.found({ count: all });
    return [
      pageOf(state, { marks: found === undefined ? [] : [[found > 0 ? 'good' : 'wait', count(found)]] }),
      code(text, 'lines', words.elements),
    ];
  }),
  html_skeleton: face('html_skeleton', ({ text, state, words }) => [
    pageOf(state),
    code(text, 'code', words.html_skeleton.structure),
  ]),
  navigate: face('navigate', ({ value, words: { navigate: words, ...all } }) => {
    const { tab, problem, redirects = [] } = value;
    return [
      pageOf(value, { marks: httpStatus(value.status) }),
      problem !== undefined && { note: problem, asks: true },
      tab !== undefined && {
        facts: [
          [all.tab, tab],
          [words.waited, figure(value.waited_ms, formatDuration)],
        ],
      },
      redirects.length > 0 && {
        part: words.redirects({ count: formatNumber(value.redirects_in_all ?? redirects.length) }),
        blocks: [
          {
            as: 'ordered',
            items: redirects.map(({ status, url }) => ({
              marks: [['plain', String(status)]],
              quiet: [formatAddress(url)],
            })),
          },
        ],
      },
    ];
  }),
  screenshot: face('screenshot', ({ answer: { picture }, text, state, words: { screenshot: words } }) => [
    pageOf(state),
    picture !== null && { picture, alt: words.shown, note: words.notRedacted },
    code(text, 'lines'),
  ]),
  tabs: face('tabs', ({ value, words: { tabs: words } }) => {
    const done = (['opened', 'closed', 'activated'] as const).flatMap((name) => {
      const { [name]: tab } = value;
      return tab === undefined ? [] : [['good', words.done[name]({ tab })] as const];
    });
    const inContainer = (name: string | undefined): Mark | false =>
      name !== undefined && ['plain', words.container({ name: reveal(name) })];
    const { tabs, pages } = value;
    const items =
      tabs?.map(({ tab, title, url, container, ...is }): Line => ({
        title,
        code: tab,
        url,
        marks: [
          ...(['current', 'active', 'loading', 'discarded'] as const).map(
            (name) =>
              is[name] === true && ([name === 'current' ? 'busy' : 'plain', words.marks[name]] as const),
          ),
          inContainer(container),
        ],
      })) ?? pages;
    return [
      pageOf(value, { marks: [...done, inContainer(value.container)] }),
      items?.length === 0 && { note: words.none },
      items !== undefined && { items },
    ];
  }),
  wait_for: face('wait_for', ({ text, state, words: { wait_for: words } }) => {
    const { url, met = [], missing = [], waited_ms: ms } = state;
    const marks = [
      ...met.map((name) => ['good', words.met({ name })] as const),
      ...missing.map((name) => ['bad', words.missing({ name })] as const),
    ];
    const waited = figure(ms, (time) => words.after({ time: formatDuration(time) }));
    return [pageOf({ url }, { marks, quiet: [waited] }), code(text, 'lines', words.said)];
  }),
};
