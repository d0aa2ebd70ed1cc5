import { z } from 'zod';
import { consoleMethods } from '../tools/console/methods.ts';
import { crawlMethods } from '../tools/crawl/methods.ts';
import { extractMethods } from '../tools/extract_data/methods.ts';
import { skeletonMethods } from '../tools/html_skeleton/methods.ts';
import { networkMethods } from '../tools/network/methods.ts';
import { evidenceMethods } from '../tools/oc_evidence_bundle/methods.ts';
import { screenshotMethods } from '../tools/screenshot/methods.ts';
import { StreamParams } from './streams.ts';
import { BrowserFacts } from './hello.ts';
import { Coverage, PageFacts } from './page.ts';
import { WaitUntil } from '../tools/navigate/wait-until.ts';
import { ReadPageOptions } from '../tools/read_page/options.ts';

/** A tab as the worker sees it. Its number becomes `b1:42` in the server. */
export const TabInfo = z.object({
  id: z.int(),
  window_id: z.int(),
  url: z.string(),
  title: z.string(),
  active: z.boolean(),
  status: z.enum(['loading', 'complete', 'unloaded']),
  discarded: z.boolean(),
});
export type TabInfo = z.infer<typeof TabInfo>;

/** One redirect hop of a navigation. */
export const RedirectHop = z.object({ url: z.string(), status: z.int() });

const NavigateParams = z.object({
  /** Null opens a new tab in the background. */
  tab_id: z.int().nullable(),
  action: z.enum(['goto', 'back', 'forward', 'reload']),
  /** Required by `goto`. */
  url: z.string().optional(),
  wait_until: WaitUntil,
  timeout_ms: z.int().min(1),
});

const NavigateResult = z.object({
  tab: TabInfo,
  /** HTTP status of the main document; null where there is none (about:, file:, cache of back/forward). */
  status: z.int().nullable(),
  redirects: z.array(RedirectHop),
});

const ReadPageResult = z.object({
  page: PageFacts,
  coverage: z.array(Coverage),
  /** Elements left out because a person does not see them. */
  hidden_elements: z.int().min(0),
  /** How `main_content_only` ended. */
  main_content: z.enum(['not_asked', 'found', 'whole_page']),
});

/**
 * Every RPC method, server → worker, with the schemas that both ends check. A method with
 * `streams: true` takes {@link StreamParams} beside its params and sends its content as a stream
 * before it answers: text as is, items as one JSON value a line.
 */
export const METHODS = {
  'bridge.echo': {
    streams: false,
    params: z.object({ value: z.string() }),
    result: z.object({ value: z.string() }),
  },
  /** Sends `bytes` of filler as a stream: doctor and bench measure the bridge with it. */
  'bridge.flood': {
    streams: true,
    params: StreamParams.extend({ bytes: z.int().min(0) }),
    result: z.object({ bytes: z.int() }),
  },
  'browser.describe': {
    streams: false,
    params: z.object({}),
    result: z.object({
      browser: BrowserFacts,
      extension_version: z.string(),
      tabs: z.int(),
      worker_started_at: z.number(),
      reconnects: z.int(),
    }),
  },
  /** Tells the worker which clients (Claude Code, Codex, …) a server serves, for the popup. */
  'server.clients': {
    streams: false,
    params: z.object({
      clients: z.array(z.object({ name: z.string().max(100), version: z.string().max(64) })),
    }),
    result: z.object({}),
  },
  'tabs.list': { streams: false, params: z.object({}), result: z.object({ tabs: z.array(TabInfo) }) },
  'tabs.get': { streams: false, params: z.object({ tab_id: z.int() }), result: z.object({ tab: TabInfo }) },
  /** The front tab of the last focused window. */
  'tabs.active': { streams: false, params: z.object({}), result: z.object({ tab: TabInfo }) },
  'tabs.open': {
    streams: false,
    params: z.object({ url: z.string().optional(), active: z.boolean() }),
    result: z.object({ tab: TabInfo }),
  },
  'tabs.close': { streams: false, params: z.object({ tab_id: z.int() }), result: z.object({}) },
  'tabs.activate': {
    streams: false,
    params: z.object({ tab_id: z.int() }),
    result: z.object({ tab: TabInfo }),
  },
  'page.navigate': { streams: false, params: NavigateParams, result: NavigateResult },
  'page.read': {
    streams: true,
    params: StreamParams.extend({ tab_id: z.int() }).extend(ReadPageOptions.shape),
    result: ReadPageResult,
  },
  ...networkMethods,
  ...crawlMethods,
  ...extractMethods,
  ...evidenceMethods,
  ...consoleMethods,
  ...screenshotMethods,
  ...skeletonMethods,
} as const;

export type MethodName = keyof typeof METHODS;
export type MethodParams<M extends MethodName> = z.infer<(typeof METHODS)[M]['params']>;
export type MethodResult<M extends MethodName> = z.infer<(typeof METHODS)[M]['result']>;
/** Methods that send a stream; their callers do not pass {@link StreamParams}, the bridge does. */
export type StreamMethodName = {
  [M in MethodName]: (typeof METHODS)[M]['streams'] extends true ? M : never;
}[MethodName];
export type StreamMethodParams<M extends StreamMethodName> = Omit<MethodParams<M>, keyof StreamParams>;

/** `error.code` of a JSON-RPC response whose `error.data` is a {@link RpcErrorData}. */
export const RPC_CODED_ERROR = -32_000;

/** How a coded error crosses the bridge. */
export const RpcErrorData = z.object({
  code: z.string(),
  hint: z.string().optional(),
  tab_id: z.int().optional(),
});
export type RpcErrorData = z.infer<typeof RpcErrorData>;
