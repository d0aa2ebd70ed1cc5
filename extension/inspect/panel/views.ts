import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';
import { reveal } from '../../../shared/core/policy/reveal.ts';
import { formatDuration, formatNumber, formatSize, formatTime } from '../../ui/words/format.ts';
import {
  asRecord,
  asTime,
  code,
  figure,
  isSet,
  itemsOf,
  listIn,
  numberIn,
  textIn,
  textsIn,
  other,
  pageOf,
  shown,
  wordFor,
} from '../../ui/read-json.ts';
import { formatAddress } from '../../ui/text.ts';

import { ofState, type Line, type Mark, type Tone, type View } from '../../ui/faces/face.ts';

const LEVELS: Readonly<Record<string, Tone>> = { error: 'bad', warning: 'wait', info: 'busy' };

const httpStatus = (facts: JsonObject): readonly Mark[] => {
  const status = numberIn(facts, 'status');
  return status === null ? [] : [[status < 400 ? 'good' : 'bad', `HTTP ${status}`]];
};

const hopLine = (hop: JsonValue): Line => ({
  marks: [['plain', String(numberIn(hop, 'status') ?? '')]],
  quiet: [formatAddress(textIn(hop, 'url') ?? '')],
});

export const BROWSER_VIEWS = {
  console: ({ value, words: { console: words } }) => {
    const messages = itemsOf(value);
    if (messages?.length === 0) return [{ note: words.silent }];
    const items = messages?.map((message): Line => {
      const level = textIn(message, 'level') ?? '';
      const time = asTime(asRecord(message)['time']);
      const stack = textsIn(message, 'stack');
      return {
        marks: [[LEVELS[level] ?? 'plain', wordFor(words.levels, level)]],
        quiet: [time === null ? null : formatTime(time), textIn(message, 'location')],
        text: textIn(message, 'text'),
        blocks: [stack.length > 0 && { fold: words.stack, blocks: [{ text: stack.join('\n'), as: 'code' }] }],
      };
    });
    return [items !== undefined && { items, as: 'ordered' }];
  },
  dialog: ({ value, words: { dialog: words, interact } }) => {
    const { answered, next_dialog: next } = asRecord(value);
    if (answered === undefined) return [];
    const how: Mark = isSet(value, 'accepted') ? ['good', words.accepted] : ['off', words.dismissed];
    const quoted = (dialog: JsonValue | undefined): string => `“${textIn(dialog, 'message') ?? ''}”`;
    return [
      { line: { marks: [['plain', textIn(answered, 'type') ?? ''], how], text: quoted(answered) } },
      pageOf(value),
      next !== undefined && {
        note: `${words.next} ${textIn(next, 'type') ?? ''} ${quoted(next)}`,
        asks: true,
      },
      code(asRecord(value)['changes'], 'diff', interact.parts.change),
    ];
  },
  fetch: ofState(({ answer: { picture }, value, state, words: { fetch: words, type } }) => {
    const marks: Line['marks'] = [
      ...httpStatus(state),
      isSet(state, 'truncated') && ['wait', words.truncated],
    ];
    const headers = Object.entries(asRecord(state['headers']));
    return [
      pageOf(state, { marks, quiet: [figure(state, 'size_bytes', formatSize)] }, 'file_name'),
      { facts: [[type, textIn(state, 'content_type')]] },
      headers.length > 0 && {
        fold: words.headers,
        blocks: [{ facts: headers.map(([name, text]) => [reveal(name), String(text)]) }],
      },
      picture !== null && { picture, alt: words.picture },
      // A PDF is read as Markdown.
      state['pages'] === undefined ? shown(value, 'code', words.body) : shown(value, 'markdown'),
    ];
  }),
  find: ofState(({ value, state, words: { find: words } }) => {
    const [found, more] = [numberIn(state, 'found'), numberIn(state, 'more') ?? 0];
    const count = (all: number): string =>
      more > 0
        ? words.foundOf({ found: formatNumber(all), all: formatNumber(all + more) })
        : words.found({ count: all });
    return [
      pageOf(state, { marks: found === null ? [] : [[found > 0 ? 'good' : 'wait', count(found)]] }),
      shown(value, 'lines', words.elements),
    ];
  }),
  html_skeleton: ofState(({ value, state, words }) => [
    pageOf(state),
    shown(value, 'code', words.html_skeleton.structure),
  ]),
  navigate: ({ value, words: { navigate: words, ...all } }) => {
    const [tab, problem] = [textIn(value, 'tab'), textIn(value, 'problem')];
    const hops = listIn(value, 'redirects');
    return [
      pageOf(value, { marks: httpStatus(asRecord(value)) }),
      problem !== null && { note: problem, asks: true },
      tab !== null && {
        facts: [
          [all.tab, tab],
          [words.waited, figure(value, 'waited_ms', formatDuration)],
        ],
      },
      hops.length > 0 && {
        part: words.redirects({ count: formatNumber(numberIn(value, 'redirects_in_all') ?? hops.length) }),
        blocks: [{ as: 'ordered', items: hops.map(hopLine) }],
      },
    ];
  },
  screenshot: ofState(({ answer: { picture }, value, state, words: { screenshot: words } }) => [
    pageOf({ ...state, title: '' }),
    picture !== null && { picture, alt: words.shown, note: words.notRedacted },
    other(value),
  ]),
  tabs: ({ value, words: { tabs: words } }) => {
    const done = (['opened', 'closed', 'activated'] as const).flatMap((name) => {
      const tab = textIn(value, name);
      return tab === null ? [] : [['good', words.done[name]({ tab })] as const];
    });
    const inContainer = (tab: JsonValue | undefined): Mark | false => {
      const name = textIn(tab, 'container');
      return name !== null && ['plain', words.container({ name: reveal(name) })];
    };
    const items = itemsOf(asRecord(value)['tabs'] ?? asRecord(value)['pages']);
    return [
      pageOf(value, { marks: [...done, inContainer(value)] }),
      items?.length === 0 && { note: words.none },
      items !== null && {
        items: items.map((tab) => ({
          title: textIn(tab, 'title'),
          code: textIn(tab, 'tab'),
          url: textIn(tab, 'url'),
          marks: [
            ...(['current', 'active', 'loading', 'discarded'] as const).map(
              (name) =>
                isSet(tab, name) && ([name === 'current' ? 'busy' : 'plain', words.marks[name]] as const),
            ),
            inContainer(tab),
          ],
        })),
      },
    ];
  },
  wait_for: ofState(({ value, state, words: { wait_for: words } }) => {
    const marks = [
      ...textsIn(state, 'met').map((name) => ['good', words.met({ name })] as const),
      ...textsIn(state, 'missing').map((name) => ['bad', words.missing({ name })] as const),
    ];
    const waited = figure(state, 'waited_ms', (ms) => words.after({ time: formatDuration(ms) }));
    return [pageOf({ ...state, title: '' }, { marks, quiet: [waited] }), shown(value, 'lines', words.said)];
  }),
} satisfies Readonly<Record<string, View>>;
