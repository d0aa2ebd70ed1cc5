import { faceTexts } from '../words/faces.ts';
import type { ComponentChildren, JSX } from 'preact';
import { type JsonObject, type JsonValue, isObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatDuration, formatNumber, formatSize } from '../../../words/format.ts';
import type { Language } from '../../../words/languages.ts';
import { Badge } from '../../components/marks.tsx';
import { AnswerFrame } from '../../components/general-render.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { asNumber, asRecord, asRecords, asText } from '../../components/read-json.ts';
import { RunError } from '../../components/run-facts.tsx';
import type { Render } from '../face.ts';

type Rows = [ComponentChildren, ComponentChildren][];
type Format = (value: number) => string;

/** Every link between the agent and its pages, with figures. */
export const Health: Render = ({ answer, language, actions }) => (
  <AnswerFrame answer={answer} language={language} actions={actions}>
    {isObject(answer.value) && <Links value={answer.value} language={language} />}
  </AnswerFrame>
);

interface Props {
  readonly value: JsonObject;
  readonly language: Language;
}

function Links({ value, language }: Props): JSX.Element {
  const words = faceTexts[language].oc_connection_health;
  const browsers = asRecords(value['browsers']);
  const server = asRecord(value['server']);
  const problem = asRecord(value['problem']);
  return (
    <>
      <RunError error={problem} />
      <Part title={words.server}>
        <KeyValues
          rows={[
            ...textRow(words.version, server['version']),
            ...row(words.process, server['pid'], String),
            ...row(words.up, server['uptime_s'], (seconds) => formatDuration(seconds * 1_000)),
          ]}
        />
      </Part>
      <Part title={words.browsers}>
        {browsers.length === 0 && <p class="c-quiet">{words.noBrowsers}</p>}
        {browsers.map((browser, at) => (
          <Browser key={at} value={browser} language={language} />
        ))}
      </Part>
      <Figures value={value} language={language} />
    </>
  );
}

const Part = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <section class="f-part">
    <h3>{title}</h3>
    {children}
  </section>
);

function Browser({ value, language }: Props): JSX.Element {
  const words = faceTexts[language].oc_connection_health;
  const name = [value['name'], value['version']].map((part) => asText(part) ?? '').join(' ');
  const reconnects = asNumber(value['reconnects']) ?? 0;
  return (
    <div class="c-capture">
      <p class="c-line">
        <Badge tone={value['connected'] === true ? 'good' : 'bad'}>
          {value['connected'] === true ? words.connected : words.away}
        </Badge>
        <b>
          <bdi>{reveal(asText(value['label']) ?? name)}</bdi>
        </b>
        <code class="c-quiet">{reveal(asText(value['browser']) ?? '')}</code>
      </p>
      <KeyValues
        rows={[
          ...textRow(words.problem, value['problem']),
          ...row(words.roundTrip, value['round_trip_ms'], formatDuration),
          ...row(words.tabs, value['tabs'], formatNumber),
          ...textRow(words.extension, value['extension_version']),
          ...textRow(words.host, value['host_version']),
          ...row(words.wire, value['wire'], String),
          ...(reconnects > 0
            ? row(words.reconnects, reconnects, (count) => words.times(formatNumber(count)))
            : []),
        ]}
      />
    </div>
  );
}

function Figures({ value, language }: Props): JSX.Element {
  const words = faceTexts[language].oc_connection_health;
  const [meter, store] = [asRecord(value['meter']), asRecord(value['store'])];
  const { left, tokens } = asRecord(meter['budget']);
  const [free, all] = [asNumber(left), asNumber(tokens)];
  const [used, most] = [asNumber(store['size_bytes']), asNumber(store['max_bytes'])];
  return (
    <>
      <Part title={words.session}>
        <KeyValues
          rows={[
            ...row(words.calls, meter['calls'], formatNumber),
            ...row(words.answered, meter['bytes'], formatSize),
            ...row(words.tokens, meter['tokens'], formatNumber),
            ...row(words.saved, meter['saved_tokens'], formatNumber),
            ...(free === null || all === null
              ? []
              : ([[words.left, words.of(formatNumber(free), formatNumber(all))]] satisfies Rows)),
          ]}
        />
      </Part>
      <Part title={words.store}>
        <KeyValues
          rows={[
            ...row(words.handles, store['handles'], formatNumber),
            ...(used === null || most === null
              ? []
              : ([[words.room, words.used(formatSize(used), formatSize(most))]] satisfies Rows)),
            ...textRow(words.folder, store['directory']),
          ]}
        />
      </Part>
    </>
  );
}

function row(label: string, value: JsonValue | undefined, format: Format): Rows {
  const number = asNumber(value);
  return number === null ? [] : [[label, format(number)]];
}

function textRow(label: string, value: JsonValue | undefined): Rows {
  const text = asText(value);
  return text === null ? [] : [[label, <bdi>{reveal(text)}</bdi>]];
}
