import { faceTexts } from '../words/faces.ts';
import type { ComponentChildren, JSX } from 'preact';
import { type JsonObject, isObject } from '../../../../shared/json.ts';
import { reveal } from '../../../../shared/policy/reveal.ts';
import { formatMoment, formatNumber, formatSize } from '../../../words/format.ts';
import type { Language } from '../../../words/languages.ts';
import { Badge } from '../../components/marks.tsx';
import { CodeBlock, CopyButton } from '../../components/code-block.tsx';
import { AnswerFrame } from '../../components/general-render.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Link } from '../../components/page-head.tsx';
import { asList, asNumber, asRecord, asRecords, asText, asTime } from '../../components/read-json.ts';
import { safeHref } from '../../components/text.ts';
import type { FaceActions, Render } from '../face.ts';

const VERIFY = 'spillway verify-bundle bundle.tar.gz';
const VERIFY_BY_HAND = 'tar xf bundle.tar.gz && sha256sum *';

interface Place {
  readonly language: Language;
  readonly actions: FaceActions;
}

/** What was taken of a page, with a hash of each part, and how these are verified. */
export const Bundle: Render = ({ answer, ...place }) => {
  const { value, state, stored, ok } = answer;
  const isTaken = value !== undefined || stored !== null || Object.keys(state).length > 0;
  const manifest = isObject(value) ? value : {};
  const parts = asRecords(manifest['parts']);
  return (
    <AnswerFrame answer={answer} {...place} showsState>
      <Facts manifest={manifest} state={state} {...place} />
      {parts.length > 0 ? <Parts parts={parts} {...place} /> : <PartNames state={state} {...place} />}
      <Failed
        failed={[...asRecords(manifest['failed']), ...(isObject(value) ? [] : asRecords(state['failed']))]}
        {...place}
      />
      {ok && isTaken && <Verify {...place} hasManifest={parts.length > 0} />}
    </AnswerFrame>
  );
};

interface FactsProps extends Place {
  readonly manifest: JsonObject;
  readonly state: JsonObject;
}

function Facts({ manifest, state, language, actions }: FactsProps): JSX.Element {
  const words = faceTexts[language].oc_evidence_bundle;
  const rows: [ComponentChildren, ComponentChildren][] = [];
  const url = asText(manifest['url']) ?? asText(state['url']);
  const href = url === null ? null : safeHref(url);
  if (url !== null)
    rows.push([
      words.page,
      href === null ? <bdi>{reveal(url)}</bdi> : <Link href={href} openLink={actions.openLink} />,
    ]);
  const taken = asTime(manifest['created_at']);
  if (taken !== null) rows.push([words.taken, formatMoment(taken)]);
  for (const [label, value] of [
    [words.takenBy, manifest['captured_by']],
    [words.reference, manifest['case_reference']],
    [words.timestamp, asRecord(state['timestamp'])['at'] ?? state['timestamp']],
  ] as const) {
    const text = asText(value);
    if (text !== null) rows.push([label, <bdi>{reveal(text)}</bdi>]);
  }
  for (const [label, value] of [
    [words.archiveHash, state['archive_sha256']],
    [words.partsHash, manifest['parts_sha256'] ?? state['parts_sha256']],
  ] as const) {
    const hash = asText(value);
    if (hash !== null) rows.push([label, <Hash hash={hash} label={label} />]);
  }
  return <KeyValues rows={rows} />;
}

/** A hash whose beginning tells two apart; all of it is copied. */
const Hash = ({ hash, label }: { readonly hash: string; readonly label: string }): JSX.Element => (
  <span class="c-hash">
    <code title={reveal(hash)}>{reveal(hash)}</code>
    <CopyButton text={hash} label={label} />
  </span>
);

function Parts({ parts, language }: Place & { readonly parts: readonly JsonObject[] }): JSX.Element {
  const words = faceTexts[language].oc_evidence_bundle;
  return (
    <section class="f-part">
      <h3>{words.parts}</h3>
      <ul class="c-lines">
        {parts.map((part, at) => {
          const name = reveal(asText(part['name']) ?? '');
          const hash = asText(part['sha256']);
          const size = asNumber(part['size_bytes']);
          const secrets = Object.values(asRecord(asRecord(part['redacted'])['secrets'])).reduce<number>(
            (sum, count) => sum + (asNumber(count) ?? 0),
            0,
          );
          return (
            <li key={at}>
              <p class="c-line">
                <b>{name}</b>
                <span class="c-quiet">{reveal(asText(part['type']) ?? '')}</span>
                {part['redacted'] === null && <Badge tone="wait">{words.pictures}</Badge>}
                {secrets > 0 && <Badge tone="wait">{words.secrets(formatNumber(secrets))}</Badge>}
                {size !== null && <span class="c-number c-end">{formatSize(size)}</span>}
              </p>
              {hash !== null && <Hash hash={hash} label={words.copyHash(name)} />}
              {asList(part['notes']).map((note, number) => (
                <p key={number} class="c-quiet">
                  <bdi>{reveal(String(note))}</bdi>
                </p>
              ))}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The names alone: their hashes are in the archive. */
function PartNames({ state, language }: Place & { readonly state: JsonObject }): JSX.Element | null {
  const names = asList(state['parts']).filter((name) => typeof name === 'string');
  if (names.length === 0) return null;
  return (
    <section class="f-part">
      <h3>{faceTexts[language].oc_evidence_bundle.parts}</h3>
      <p class="c-line">
        {names.map((name) => (
          <Badge key={name}>{reveal(name)}</Badge>
        ))}
      </p>
    </section>
  );
}

function Failed({
  failed,
  language,
}: Place & { readonly failed: readonly JsonObject[] }): JSX.Element | null {
  if (failed.length === 0) return null;
  return (
    <section class="f-part">
      <h3>{faceTexts[language].oc_evidence_bundle.failed}</h3>
      <ul class="c-problems">
        {failed.map(({ part, code, message }, at) => (
          <li key={at}>
            <b>{reveal(asText(part) ?? '')}</b> <code>{reveal(asText(code) ?? '')}</code>{' '}
            <bdi>{reveal(asText(message) ?? '')}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Verify({ language, hasManifest }: Place & { readonly hasManifest: boolean }): JSX.Element {
  const words = faceTexts[language].oc_evidence_bundle;
  return (
    <details class="c-part">
      <summary>{words.verify}</summary>
      {!hasManifest && <p>{words.noManifest}</p>}
      <p>{words.verifyDetail}</p>
      <CodeBlock text={VERIFY} />
      <p>{words.verifyByHand}</p>
      <CodeBlock text={VERIFY_BY_HAND} />
    </details>
  );
}
