import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { build } from 'vite';
import type { FaceAnswer, FaceCall } from '../../../extension/ui/faces/face.ts';
import type { ShownAnswer } from '../../../extension/ui/frame/call-face.tsx';
import type { Language } from '../../../extension/ui/words/locale.ts';
import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import type { ToolManifest } from '../../../shared/core/tools/manifest.ts';

/* Every face in every state of a call, with answers of real tools. */

export type Surface = ToolManifest['faces']['panel'][number];

export interface GalleryPiece {
  readonly name: string;
  readonly surface: Surface;
  readonly call: FaceCall;
  readonly answer: ShownAnswer;
  readonly args?: JsonObject;
  readonly isLost?: boolean;
  readonly isShown?: boolean;
}

export type GalleryView = { readonly pieces: readonly GalleryPiece[]; readonly language: Language };

const TOOLS: readonly ToolManifest[] = MANIFESTS;

/** A call answered in a real browser, as recorded by `scripts/pictures/record-faces.ts`. */
export interface RecordedCall {
  readonly title: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly durationMs: number;
  readonly answer: FaceAnswer;
}

export const RECORDED = new URL('../../../fixtures/golden/faces/answers.jsonl', import.meta.url);
export const readRecorded = (): readonly RecordedCall[] =>
  readFileSync(RECORDED, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedCall);

export const NOTHING: FaceAnswer = {
  ok: true,
  value: undefined,
  picture: null,
  state: {},
  error: null,
  stored: null,
  notes: [],
};

const HOSTILE =
  '</bdi></section><img src=x onerror="globalThis.hacked=true"><script>globalThis.hacked=true</script>\u202e[click](javascript:globalThis.hacked=true) ' +
  'unbroken'.repeat(40);

export const callOf = (tool: string, more: Partial<FaceCall> = {}): FaceCall => ({
  callId: `call-${tool}`,
  tool,
  args: {},
  state: 'ok',
  code: null,
  handle: null,
  durationMs: 120,
  sizeBytes: 2_048,
  progress: null,
  ...more,
});

const shownArgs = (args: JsonObject): FaceCall['args'] =>
  Object.fromEntries(
    Object.entries(args).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[name, value]]
        : [],
    ),
  );

function recordedCall({ tool, args, answer, durationMs }: RecordedCall): FaceCall {
  return callOf(tool, {
    args: shownArgs(args),
    state: answer.ok ? 'ok' : 'failed',
    code: answer.error?.code ?? null,
    durationMs,
    handle: answer.stored?.handle ?? null,
  });
}

/** Replaces each text in a value, and adds one to each list. */
function hostile(value: JsonValue | undefined): JsonValue {
  if (typeof value === 'string') return /^https?:/.test(value) ? `https://mill.example/${HOSTILE}` : HOSTILE;
  if (Array.isArray(value)) return value.map((one: JsonValue) => hostile(one));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hostile(one)]));
  return value ?? HOSTILE;
}

const hostileAnswer = (answer: FaceAnswer): FaceAnswer => ({
  ...answer,
  value: answer.value === undefined ? undefined : hostile(answer.value),
  state: hostile(answer.state) as JsonObject,
  error: answer.error === null ? null : { ...answer.error, message: HOSTILE, hint: HOSTILE },
  notes: [HOSTILE],
});

const failedAnswer = (answer: FaceAnswer): FaceAnswer => ({
  ...NOTHING,
  ok: false,
  state: answer.state,
  error: {
    code: 'bridge_lost',
    message: 'The browser was closed in the midst of the call.',
    hint: 'Start the browser, then call again.',
    body: undefined,
  },
});

const ASKED: Readonly<Record<string, JsonObject>> = {
  interact: {
    fields: { Email: 'ada@example.com', 'Send me news': true },
    steps: ['fill label=Message See you on Thursday.', 'upload label=CV /home/ada/cv.pdf', 'click text=Send'],
  },
  navigate: { url: 'https://mill.example/shop?sort=price', wait_until: 'load' },
  fetch: { url: 'https://mill.example/prices.pdf', pages: '2-5', max_bytes: 268_435_456 },
  crawl: {
    url: 'https://mill.example/',
    max_pages: 200,
    max_depth: 3,
    scope: 'origin',
    include: ['/docs/**'],
    respect_robots: true,
  },
  extract_data: { run: 'run_EU4YCXGSDEF6', multiple: true, paginate: { max_pages: 10 } },
  dialog: { action: 'accept', text: 'Granite' },
  network: { action: 'start', bodies: 'text' },
};

const ITEMS = 'Reading https://mill.example/docs/sails';
const PROGRESS = { done: 12, total: 40, message: ITEMS } as const;

/** All pieces of the gallery, or those for its pictures. */
export function galleryPieces(): readonly GalleryPiece[] {
  const recorded = readRecorded();
  return TOOLS.flatMap((tool) =>
    piecesOf(
      tool,
      recorded.filter((call) => call.tool === tool.name),
    ),
  );
}

const weightOf = ({ args, answer: { ok, value, picture } }: RecordedCall): number =>
  (args['explain'] === true ? -10_000 : 0) +
  (ok ? 1 : 0) +
  (picture === null ? 0 : 1_000) +
  (JSON.stringify(value) ?? '').length;

function piecesOf({ name, faces }: ToolManifest, recorded: readonly RecordedCall[]): GalleryPiece[] {
  const first = recorded.toSorted((a, b) => weightOf(b) - weightOf(a))[0];
  const call = first === undefined ? callOf(name) : recordedCall(first);
  const answer = first?.answer ?? NOTHING;
  const piece = (surface: Surface, state: string, more: Partial<GalleryPiece> = {}): GalleryPiece => ({
    name: `${name} · ${surface} · ${state}`,
    surface,
    call,
    answer,
    isShown: true,
    ...more,
  });
  const hidden = { isShown: false } as const;
  const all: Readonly<Record<Surface, () => GalleryPiece[]>> = {
    Inspector: () => [
      piece('Inspector', first?.title ?? 'without arguments'),
      piece('Inspector', 'hostile', {
        ...hidden,
        call: callOf(name, { args: hostile(call.args) as FaceCall['args'] }),
      }),
    ],
    Render: () => [
      ...recorded.map((one, at) =>
        piece('Render', one.title, {
          call: recordedCall(one),
          answer: one.answer,
          isShown:
            one === first ||
            (at > 0 && !one.answer.ok && ['crawl', 'interact', 'extract_data'].includes(name)),
        }),
      ),
      piece('Render', 'failed', {
        call: { ...call, state: 'failed' },
        answer: failedAnswer(answer),
        ...hidden,
      }),
      piece('Render', 'empty', { answer: NOTHING, ...hidden }),
      piece('Render', 'empty list', { answer: { ...NOTHING, value: [] }, ...hidden }),
      piece('Render', 'hostile', { answer: hostileAnswer(answer), ...hidden }),
    ],
    Placeholder: () => [
      piece('Placeholder', 'running', { call: callOf(name, { state: 'running' }), answer: 'reading' }),
    ],
    Streaming: () => [
      piece('Streaming', 'running', {
        call: callOf(name, { state: 'running', progress: PROGRESS }),
        answer: 'reading',
      }),
      piece('Streaming', 'hostile', {
        ...hidden,
        call: callOf(name, { state: 'running', progress: { done: 1, total: null, message: HOSTILE } }),
        answer: 'reading',
      }),
    ],
    Intervention: () => [
      piece('Intervention', 'asked', { args: ASKED[name] ?? {} }),
      piece('Intervention', 'hostile', { ...hidden, args: hostile(ASKED[name] ?? {}) as JsonObject }),
    ],
    Portal: () => [
      piece('Portal', 'full'),
      piece('Portal', 'hostile', { ...hidden, answer: hostileAnswer(answer) }),
    ],
  };
  return faces.panel.flatMap((surface) => all[surface]());
}

export interface Gallery {
  readonly page: Page;
  readonly messages: string[];
  show(view: GalleryView): Promise<void>;
}

/**
 * Bundles the page into one script, which brings its style sheet.
 * @param replaced source texts that replace modules of faces, by their path below `extension/`
 */
async function bundlePage(replaced: Readonly<Record<string, string>>): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [
      {
        name: 'replaced-faces',
        load: (id) => Object.entries(replaced).find(([path]) => id.endsWith(`/extension/${path}`))?.[1],
      },
    ],
    build: {
      write: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('gallery.tsx', import.meta.url)),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  });
  const files = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return files.find((file) => file.type === 'chunk')?.code ?? '';
}

/** Opens the gallery in a page without the extension. */
export async function openGallery(
  browser: Browser,
  replaced: Readonly<Record<string, string>> = {},
): Promise<Gallery> {
  const script = await bundlePage(replaced);
  const page = await browser.newPage();
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(error.message));
  await page.setContent('<!doctype html><html lang="en"><title>Faces</title><body></body></html>');
  await page.addScriptTag({ content: script });
  return {
    page,
    messages,
    show: async (view) => {
      await page.evaluate(`gallery.show(${JSON.stringify(view)})`);
      // Lazily loaded faces; active content stays as it is.
      await page.waitForFunction(`!document.querySelector('.piece:not([data-waits]) .c-skeleton')`, null, {
        timeout: 120_000,
      });
    },
  };
}
