import type { MethodParams, MethodResult } from '../../shared/core/bridge/methods.ts';
import { invalidArgument } from '../../shared/base/errors.ts';
import { MIME } from '../../shared/base/mime.ts';
import type { screenshot } from '../../shared/pictures/screenshot.manifest.ts';
import { PIXELS_PER_TOKEN } from '../../shared/pictures/screenshot.methods.ts';
import { gather } from '../../shared/base/queue.ts';
import { defined } from '../../shared/base/json.ts';
import { decodeBase64 } from '../core/file-stream.ts';
import type { Outcome, Produced } from '../core/result.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import type { Bridge, BridgeStream } from '../core/services.ts';
import { explainTab, requireTab, type TabOutcome, type TabTarget, readTabStream } from '../core/targets.ts';
import { notePicture } from '../core/pictures.ts';
import { produceTiles, readHead, round } from './tiles.ts';

type ScreenshotArgs = ArgsOf<typeof screenshot>;

const IMAGE_TOKENS = 1_500;
/** Text of the usual size is unreadable in a smaller picture. */
const READABLE_SCALE = 0.75;

/** `screenshot`: the picture's bytes, decoded as they arrive, or the tiles of a page that is too long for one. */
export const createRuntimes = ({ bridge }: { readonly bridge: Bridge }): ToolRuntimes => ({
  screenshot: async (args: ScreenshotArgs, context) => {
    checkArea(args);
    const target = await requireTab(bridge, args, context);
    const wish = wishOf(args);
    const { area, selector = null, ref = null, format, quality } = args;
    const from = { tab_id: target.tabId, caller: callerOf(context) };
    const params = { ...from, area, selector, ref, format, quality, ...wish };
    const stream = bridge.stream(target.browser, 'page.screenshot', params, context);
    const options = { target, context };
    if (wish.tiles === undefined && wish.if_changed === undefined && wish.only_size === undefined)
      return producePicture(stream, args, options);
    const headed = await readHead(stream).catch((thrown: unknown) => {
      throw explainTab(thrown, target, context);
    });
    if (headed.head.is_unsent === true) return produceSize(headed.stream, args, options);
    if (headed.head.tiles === 0) return producePicture(headed.stream, args, options);
    return produceTiles(headed, { ...options, format });
  },
});

type Wish = Pick<
  MethodParams<'page.screenshot'>,
  'max_pixels' | 'tiles' | 'refs' | 'if_changed' | 'only_size'
>;

function wishOf({ area, as, max_tokens: maxTokens, refs, if_changed: threshold }: ScreenshotArgs): Wish {
  const pixels = (maxTokens ?? IMAGE_TOKENS) * PIXELS_PER_TOKEN;
  const picture = {
    max_pixels: as === 'handle' && maxTokens === undefined ? null : pixels,
    ...defined({ refs, if_changed: threshold }),
    ...(as === 'size' && { only_size: true }),
  };
  // A bound on the tokens of one picture requests one picture, and so does a comparison.
  const isOne = as === 'image' || as === 'size' || threshold !== undefined;
  if (area !== 'full_page' || isOne || (as !== 'tiles' && maxTokens !== undefined)) return picture;
  const minScale = { tiles: null, handle: 0, auto: READABLE_SCALE }[as ?? 'auto'];
  return { ...picture, tiles: { max_pixels: pixels, min_scale: minScale } };
}

function producePicture(
  stream: BridgeStream<'page.screenshot'>,
  args: ScreenshotArgs,
  on: { readonly target: TabTarget; readonly context: CallContext },
): Produced {
  const { chunks, produced } = readTabStream(stream, {
    ...on,
    outcomeOf: (tab, result) => {
      notePicture(on.context.session, tab, result);
      return outcomeOf(tab, args, result);
    },
  });
  return {
    payload: { kind: 'bytes', mimeType: MIME[args.format], chunks: decodeBase64(chunks) },
    ...produced,
    ...(args.as === 'handle' ? { deliverAs: 'handle' as const } : {}),
  };
}

/** An answer without the picture: it has not changed, or only its size was asked for. */
function produceSize(
  stream: BridgeStream<'page.screenshot'>,
  args: ScreenshotArgs,
  on: { readonly target: TabTarget; readonly context: CallContext },
): Produced {
  const { chunks, produced } = readTabStream(stream, {
    ...on,
    outcomeOf: (tab, result) => {
      // One like the last: pixels of that now mean this part of the page.
      if (args.as !== 'size') notePicture(on.context.session, tab, result);
      return outcomeOf(tab, args, result);
    },
  });
  async function* sayUnsent(): AsyncGenerator<string> {
    await gather(chunks);
    yield produced.outcome().coverage.join('\n');
  }
  const outcome = (): Outcome => ({ ...produced.outcome(), coverage: [] });
  return { ...produced, payload: { kind: 'text', mimeType: MIME.text, chunks: sayUnsent() }, outcome };
}

function checkArea({ area, selector, ref, as, refs, if_changed: threshold }: ScreenshotArgs): void {
  if (selector !== undefined && ref !== undefined)
    throw invalidArgument('ref: selects an element, like selector; pass only one of them.');
  if (area === 'full_page' && (selector ?? ref) !== undefined)
    throw invalidArgument('area: cannot be combined with selector or ref; omit area.');
  if (as === 'tiles' && area !== 'full_page')
    throw invalidArgument('as: tiles show a full page; add area: "full_page".');
  if (refs === true && area === 'full_page')
    throw invalidArgument('refs: are drawn on the viewport or an element; omit area.');
  if (threshold !== undefined && (as === 'tiles' || as === 'size'))
    throw invalidArgument('if_changed: compares pictures that are sent; omit as.');
}

function describeChange(
  { changed }: MethodResult<'page.screenshot'>,
  threshold: number | undefined,
): string[] {
  if (threshold === undefined) return [];
  if (changed === undefined) return ['There is no earlier picture to compare it with.'];
  const { percent, area } = changed;
  if (percent === null) return ['The last picture had another size.'];
  const share = percent > 0 && percent < 0.01 ? 'less than 0.01' : Math.round(percent * 100) / 100;
  const where = area === null ? '' : `, within ${placeOf(area)} of the page`;
  const unsent = percent > threshold ? '' : 'Not sent: ';
  return [`${unsent}${share}% of the pixels changed since the last picture${where}.`];
}

const placeOf = ({ x, y, width, height }: MethodResult<'page.screenshot'>['shown']): string =>
  `${round(width)} × ${round(height)} px at ${round(x)}, ${round(y)}`;

function outcomeOf(tab: string, args: ScreenshotArgs, result: MethodResult<'page.screenshot'>): TabOutcome {
  const { width, height, scale, shown } = result;
  const tokens = Math.ceil((width * height) / PIXELS_PER_TOKEN);
  const isPart = result.coverage.some(({ kind }) => kind === 'viewport_only');
  const area = isPart ? 'viewport' : args.area;
  const isElement = (args.selector ?? args.ref) !== undefined;
  const name = isElement ? 'the element' : area === 'full_page' ? 'the full page' : 'the viewport';
  return {
    state: { tab, url: result.url, format: args.format, width, height, scale, shown, tokens },
    coverage: [
      `${width} × ${height} pixels, about ${tokens} tokens: ${name}, ${placeOf(shown)} of the page, at scale ${round(scale)}.`,
      ...describeChange(result, args.if_changed),
      ...(result.refs === undefined
        ? []
        : [`${result.refs} refs are drawn: a control's ref is a target, such as "click e12".`]),
      ...(area === 'full_page' && scale < READABLE_SCALE ? [SMALL_NOTE] : []),
      ...result.coverage.map(({ kind, detail }) => `${kind}: ${detail}`),
      ...(result.size_bytes === 0 ? [] : ['Images cannot be redacted: this one shows what the page shows.']),
    ],
  };
}

const SMALL_NOTE = 'Too small to read? as: "tiles" shows the page at full size.';
