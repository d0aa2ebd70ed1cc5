import type { z } from 'zod';
import type { MethodResult } from '../../../shared/bridge/methods.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { MIME } from '../../../shared/mime.ts';
import type { screenshot } from '../../../shared/tools/screenshot/manifest.ts';
import { PIXELS_PER_TOKEN } from '../../../shared/tools/screenshot/methods.ts';
import { decodeBase64 } from '../../toolkit/base64.ts';
import type { Outcome } from '../../core/payload.ts';
import type { ToolRuntime, ToolRuntimes } from '../../core/registry/runtime.ts';
import type { Bridge } from '../../core/services.ts';
import { requireTab } from '../../core/targets.ts';
import { readTabStream } from '../../toolkit/tab-stream.ts';

type Args = z.output<typeof screenshot.input>;

/** What an image block may cost when nothing is said. */
const IMAGE_TOKENS = 1_500;

export const createRuntimes = (services: { readonly bridge: Bridge }): ToolRuntimes => ({
  screenshot: createScreenshot(services),
});

/** `screenshot`: the picture's bytes, decoded as they come. */
function createScreenshot({ bridge }: { readonly bridge: Bridge }): ToolRuntime<Args> {
  return {
    async run(args, context) {
      checkArea(args);
      const target = await requireTab(bridge, args, context);
      const maxTokens = args.max_tokens ?? (args.as === 'image' ? IMAGE_TOKENS : null);
      const stream = bridge.stream(
        target.browser,
        'page.screenshot',
        {
          tab_id: target.tabId,
          area: args.area,
          selector: args.selector ?? null,
          ref: args.ref ?? null,
          format: args.format,
          quality: args.quality,
          max_pixels: maxTokens === null ? null : maxTokens * PIXELS_PER_TOKEN,
        },
        { signal: context.signal },
      );
      const { chunks, produced } = readTabStream(stream, {
        target,
        context,
        urlOf: ({ url }) => url,
        outcomeOf: (tab, result) => outcomeOf(tab, args, result),
      });
      return {
        payload: { kind: 'bytes', mimeType: MIME[args.format], chunks: decodeBase64(chunks) },
        ...produced,
        ...(args.as === 'handle' ? { deliverAs: 'handle' as const } : {}),
      };
    },
  };
}

function checkArea({ area, selector, ref }: Args): void {
  if (selector !== undefined && ref !== undefined)
    throw new SpillwayError(
      'invalid_argument',
      'ref: selects an element, like selector; pass only one of them.',
    );
  if (area === 'full_page' && (selector ?? ref) !== undefined)
    throw new SpillwayError('invalid_argument', 'area: cannot be combined with selector or ref; omit area.');
}

function outcomeOf(tab: string, args: Args, result: MethodResult<'page.screenshot'>): Outcome {
  const { width, height, scale, shown } = result;
  const tokens = Math.ceil((width * height) / PIXELS_PER_TOKEN);
  const name = (args.selector ?? args.ref) !== undefined ? 'the element' : areaName(args.area);
  const place = `${round(shown.width)} × ${round(shown.height)} px at ${round(shown.x)}, ${round(shown.y)}`;
  return {
    state: { tab, url: result.url, format: args.format, width, height, scale, shown, tokens },
    coverage: [
      `${width} × ${height} pixels, about ${tokens} tokens: ${name}, ${place} of the page, at scale ${round(scale)}.`,
      ...result.coverage.map(({ kind, detail }) => `${kind}: ${detail}`),
      'Images cannot be redacted: this one shows what the page shows.',
    ],
  };
}

const areaName = (area: Args['area']): string => (area === 'full_page' ? 'the full page' : 'the viewport');

const round = (value: number): number => Math.round(value * 1_000) / 1_000;
