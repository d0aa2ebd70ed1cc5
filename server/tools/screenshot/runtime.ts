import type { MethodParams, MethodResult } from '../../../shared/bridge/methods.ts';
import { invalidArgument } from '../../../shared/errors.ts';
import { MIME } from '../../../shared/mime.ts';
import type { screenshot } from '../../../shared/tools/screenshot/manifest.ts';
import { PIXELS_PER_TOKEN } from '../../../shared/tools/screenshot/methods.ts';
import { decodeBase64 } from '../../toolkit/file-stream.ts';
import type { Produced } from '../../core/result.ts';
import type { ArgsOf, ToolRuntimes } from '../../core/registry/definition.ts';
import { callerOf, type CallContext } from '../../core/context.ts';
import type { Bridge, BridgeStream } from '../../core/services.ts';
import {
  explainTab,
  requireTab,
  type TabOutcome,
  type TabTarget,
  readTabStream,
} from '../../core/targets.ts';
import { notePicture } from '../../toolkit/pictures.ts';
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
    if (wish.tiles === undefined) return producePicture(stream, args, options);
    const headed = await readHead(stream).catch((thrown: unknown) => {
      throw explainTab(thrown, target, context);
    });
    if (headed.head.tiles === 0) return producePicture(headed.stream, args, options);
    return produceTiles(headed, { ...options, format });
  },
});

type Wish = Pick<MethodParams<'page.screenshot'>, 'max_pixels' | 'tiles'>;

function wishOf({ area, as, max_tokens: maxTokens }: ScreenshotArgs): Wish {
  const pixels = (maxTokens ?? IMAGE_TOKENS) * PIXELS_PER_TOKEN;
  const picture = { max_pixels: as === 'handle' && maxTokens === undefined ? null : pixels };
  // A bound on the tokens of one picture requests one picture.
  if (area !== 'full_page' || as === 'image' || (as !== 'tiles' && maxTokens !== undefined)) return picture;
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

function checkArea({ area, selector, ref, as }: ScreenshotArgs): void {
  if (selector !== undefined && ref !== undefined)
    throw invalidArgument('ref: selects an element, like selector; pass only one of them.');
  if (area === 'full_page' && (selector ?? ref) !== undefined)
    throw invalidArgument('area: cannot be combined with selector or ref; omit area.');
  if (as === 'tiles' && area !== 'full_page')
    throw invalidArgument('as: tiles show a full page; add area: "full_page".');
}

function outcomeOf(tab: string, args: ScreenshotArgs, result: MethodResult<'page.screenshot'>): TabOutcome {
  const { width, height, scale, shown } = result;
  const tokens = Math.ceil((width * height) / PIXELS_PER_TOKEN);
  const isPart = result.coverage.some(({ kind }) => kind === 'viewport_only');
  const area = isPart ? 'viewport' : args.area;
  const isElement = (args.selector ?? args.ref) !== undefined;
  const name = isElement ? 'the element' : area === 'full_page' ? 'the full page' : 'the viewport';
  const place = `${round(shown.width)} × ${round(shown.height)} px at ${round(shown.x)}, ${round(shown.y)}`;
  return {
    state: { tab, url: result.url, format: args.format, width, height, scale, shown, tokens },
    coverage: [
      `${width} × ${height} pixels, about ${tokens} tokens: ${name}, ${place} of the page, at scale ${round(scale)}.`,
      ...(area === 'full_page' && scale < READABLE_SCALE ? [SMALL_NOTE] : []),
      ...result.coverage.map(({ kind, detail }) => `${kind}: ${detail}`),
      'Images cannot be redacted: this one shows what the page shows.',
    ],
  };
}

const SMALL_NOTE = 'Too small to read? as: "tiles" shows the page at full size.';
