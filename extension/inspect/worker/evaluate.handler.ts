import * as z from 'zod/mini';
import type { Create } from '../../core/handler.ts';
import { explaining } from '../../read/worker/read-tab.ts';
import { getReadableTab, runInPage } from '../../core/pages/targets.ts';
import { placeOfFrame } from '../../core/policy/documents.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import { isJsonList, isObject, type JsonValue } from '../../../shared/base/json.ts';
import { jsonIn, parseJson } from '../../../shared/base/json-schema.ts';
import { cookiesOf } from '../../platform/chromium/cookies.ts';
import { evaluator, findScope, runFunction } from '../../platform/chromium/evaluate.ts';
import { decodePercent } from '../../../shared/base/file-name.ts';
import type { DebuggerLease } from '../../platform/chromium/debugger/sessions.ts';
import { listWebStorage } from '../../core/in-page/storage.ts';

const Entries = z.array(z.tuple([z.string(), z.string()]));

/** A shorter value occurs everywhere by chance. */
const VALUE_LEAST = 8;
/** Names of secrets in the page's storage. A single word as a value also occurs everywhere by chance. */
const SECRET_NAME = /token|secret|session|auth|passw|jwt|[cx]srf|credential|api.?key|\bsid\b/i;
const WORD = /^[a-z _-]*$/i;
const JSON_PAIR = /"([^"\\]{1,100})"\s*:\s*"([^"\\]+)"/g;

/** As the server's redactor writes it. */
const MARK = '«redacted:cookie»';

interface EvaluateTarget {
  readonly lease: DebuggerLease;
  /** Of the document's frame. */
  readonly session: string | null;
  readonly target: { readonly tabId: number; readonly documentIds: string[] };
}

type Hide = (text: string) => string;

/**
 * Removes from a text the values of the cookies that its document receives, and of storage entries with a secret's
 * name: a person may be signed in with them, and no redactor recognises them by their form.
 */
async function hiderOf(place: EvaluateTarget): Promise<Hide> {
  const cookies = await cookiesOf(place.lease, { sessionId: place.session });
  const values = [
    ...cookies.flatMap(({ value }) => [value, decodePercent(value) ?? value]),
    ...(await Promise.all(['local', 'session'].map((area) => storedIn(place, area))))
      .flat()
      .flatMap(secretsOf),
  ];
  const written = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  const long = [...new Set(written)].filter(({ length }) => length >= VALUE_LEAST);
  const short = cookies.filter(({ value }) => value !== '' && value.length < VALUE_LEAST);
  const marked = [
    ...long
      .toSorted((one, other) => other.length - one.length)
      .map((value): [string, string] => [value, MARK]),
    // As `document.cookie` has it.
    ...short.map(({ name, value }): [string, string] => [`${name}=${value}`, `${name}=${MARK}`]),
  ];
  return (text) => marked.reduce((rest, [value, mark]) => rest.replaceAll(value, mark), text);
}

const hideInJson = (text: string, hide: Hide): string =>
  hide(text) === text ? text : JSON.stringify(hideIn(parseJson(text), hide));

/** A value may itself be JSON, and go through several members: then the smallest part that has it is hidden. */
function hideIn(value: JsonValue, hide: Hide): JsonValue {
  if (typeof value === 'string') return hide(value);
  const shown = isJsonList(value)
    ? value.map((item) => hideIn(item, hide))
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, member = null]) => [hide(name), hideIn(member, hide)]),
        )
      : value;
  const text = JSON.stringify(shown);
  return hide(text) === text ? shown : MARK;
}

async function storedIn(
  { lease: { signal }, target }: EvaluateTarget,
  area: string,
): Promise<[string, string][]> {
  const asked = { url: '', signal, target, func: listWebStorage };
  const stored = await runInPage({ ...asked, args: [area] }).catch((thrown: unknown) => {
    // The page may be gone. Of one that stays busy, or of lost access, no value leaves: its secrets are not hidden.
    if (signal.aborted || toSpillwayError(thrown).code === 'page_unresponsive') throw thrown;
    return '';
  });
  return Entries.safeParse(jsonIn(String(stored))).data ?? [];
}

function secretsOf([name, value]: [string, string]): string[] {
  return [['', name, value], ...value.matchAll(JSON_PAIR)].flatMap(([, key = '', text = '']) =>
    SECRET_NAME.test(key) && !WORD.test(text) ? [text] : [],
  );
}

export const createHandlers: Create<'page.evaluate'> = ({
  dialogs,
  leases,
  refBook,
  closed,
  ...services
}) => ({
  'page.evaluate': async ({ tab_id: tabId, caller, ref, world, ...call }, { signal, policy }, sink) => {
    await getReadableTab(tabId);
    const turn = await leases.take(tabId, caller, { signal, closed, isAct: true });
    // A closed tab looks like a page that has changed.
    const evaluated = explaining(tabId, signal, async () => {
      const { lease, frames, release } = await evaluator(services, tabId, signal);
      try {
        const place = ref === null ? null : await refBook.find(ref, { tabId, viewer: caller.session });
        const scope = await findScope({ lease, frames, world, ref, viewer: caller.session });
        // The document for the function is fixed: it never runs in a later one.
        const document = await placeOfFrame(tabId, place?.frameId ?? 0);
        if (document === null || (place ?? document).documentId !== document.documentId)
          throw new SpillwayError('page_changed', 'The page navigated before the function began.');
        await policy.expect(document, ['evaluate']);
        signal.throwIfAborted();
        policy.began();
        const target = { tabId, documentIds: [document.documentId ?? ''] };
        const isAsked = (): boolean => dialogs.of(tabId) !== null;
        const hider = (): Promise<Hide> => hiderOf({ lease, session: scope.session, target });
        const { text, type } = await runFunction(scope, { ...call, lease, isAsked, signal }).catch(
          async (thrown: unknown) => {
            const { code, message } = toSpillwayError(thrown);
            throw code === 'evaluate_failed' ? new SpillwayError(code, (await hider())(message)) : thrown;
          },
        );
        await sink.write(hideInJson(text, await hider()));
        return { url: document.url, type };
      } finally {
        release();
      }
    });
    return evaluated.finally(() => turn.release());
  },
});
