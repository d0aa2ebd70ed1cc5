import type { CallAnswer } from '../../shared/bridge/answers.ts';
import { isObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { parseJson } from '../../shared/json-schema.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { ContentBlock } from '../core/result.ts';
import type { KeptAnswer } from './last-answers.ts';

/** Room for what is around an answer in its frame. */
const ENVELOPE_BYTES = 8 * 1024;
const TOO_LARGE = 'This answer is too large to be shown here.';
/** The mark before page text, as `--content-boundaries` puts it into a block of its own. */
const OPEN = /^«untrusted ([0-9a-f]{32})»/;

type Shown = Pick<CallAnswer, 'value' | 'picture'>;

/** The blocks of the payload, and those that say something about it. */
function partsOf(content: readonly ContentBlock[]): {
  readonly payload: ContentBlock | undefined;
  readonly notes: readonly ContentBlock[];
} {
  const [first, second, third, ...rest] = content;
  const nonce = first?.type === 'text' ? OPEN.exec(first.text)?.[1] : undefined;
  if (nonce !== undefined && third?.type === 'text' && third.text === `«/untrusted ${nonce}»`)
    return { payload: second, notes: rest };
  return { payload: first, notes: content.slice(1) };
}

function payloadOf(block: ContentBlock | undefined, kind: KeptAnswer['kind']): Shown {
  if (block?.type === 'image') return { picture: { mime_type: block.mimeType, base64: block.data } };
  if (block?.type !== 'text') return { picture: null };
  const isJson = kind === 'json' || kind === 'items';
  return { picture: null, value: isJson ? parsed(block.text) : block.text };
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** What another server answered: its object, else its texts; and its first picture. */
function foreignOf({ content, structured }: KeptAnswer): Shown {
  const blocks = content.flatMap((block) => (block.type === 'foreign' ? [block.block] : []));
  const texts = blocks.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  );
  const image = blocks.find(({ type }) => type === 'image');
  const { data, mimeType } = image ?? {};
  const isPicture = typeof data === 'string' && typeof mimeType === 'string';
  return {
    picture: isPicture ? { mime_type: mimeType, base64: data } : null,
    ...(structured !== undefined
      ? { value: structured }
      : texts.length > 0
        ? { value: texts.join('\n\n') }
        : {}),
  };
}

const linesOf = (blocks: readonly ContentBlock[]): string[] =>
  blocks
    .flatMap((block) => (block.type === 'text' ? block.text.split('\n') : []))
    .filter((line) => line !== '');

function shownOf(answer: KeptAnswer): Shown & Pick<CallAnswer, 'notes'> {
  if (answer.content[0].type === 'foreign') return { ...foreignOf(answer), notes: [] };
  const { payload, notes } = partsOf(answer.content);
  const isPayload = answer.ok && answer.descriptor === undefined;
  // In place of a payload there is the descriptor, or the error, which have members of their own.
  const shown =
    answer.structured === undefined
      ? payloadOf(payload, answer.kind)
      : { picture: null, value: answer.structured };
  return { ...(isPayload ? shown : { picture: null }), notes: linesOf(notes) };
}

/** An answer as people at the browsers get it; not yet redacted where another server wrote it. */
export function describeAnswer(answer: KeptAnswer): CallAnswer {
  const { ok, state, error, descriptor } = answer;
  return {
    ok,
    ...shownOf(answer),
    state,
    error:
      error === undefined
        ? null
        : {
            code: error.code,
            message: error.message,
            hint: error.hint,
            ...(isObject(error.body) ? { body: error.body as JsonObject } : {}),
          },
    stored:
      descriptor === undefined
        ? null
        : {
            handle: descriptor.output_handle,
            mime_type: descriptor.mime_type,
            size_bytes: descriptor.size_bytes,
            item_count: descriptor.item_count,
            preview: descriptor.preview,
          },
  };
}

/** What is left of an answer that would not fit in a frame. */
export function fitting(answer: CallAnswer): CallAnswer {
  if (fits(answer)) return answer;
  const { value: _value, ...rest } = answer;
  const without = { ...rest, picture: null, notes: [TOO_LARGE, ...answer.notes] };
  return fits(without)
    ? without
    : { ...without, state: {}, error: withoutBody(answer.error), notes: [TOO_LARGE] };
}

const fits = (answer: CallAnswer): boolean =>
  Buffer.byteLength(JSON.stringify(answer)) <= LIMITS.bridgeFrameBytes - ENVELOPE_BYTES;

function withoutBody(error: CallAnswer['error']): CallAnswer['error'] {
  if (error === null) return null;
  const { body: _body, ...rest } = error;
  return rest;
}
