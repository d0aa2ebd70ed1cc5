import type { METHODS, MethodName } from '../../shared/core/bridge/methods.ts';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';

export const CALL: CallScope = {
  caller: { session: 'policy-session', name: 'test-agent' },
  call: {
    call_id: 'c1',
    tool: 'test',
    title: 'Test',
    args: {},
    is_editable: true,
    args_hash: '0'.repeat(64),
  },
};

export type RuledMethod = {
  [M in MethodName]: (typeof METHODS)[M]['policy'] extends { readonly judged: 'nothing' } ? never : M;
}[MethodName];

const { caller } = CALL;

/** `own`: the tab for a caller. */
export const placeOf = (tab_id: number, url: string) => ({ tab: { tab_id }, own: { tab_id, caller }, url });
type Place = ReturnType<typeof placeOf>;

const AUDIT = { level: 'A', best_practices: false, rules: ['document-title'] };

/** A call of each on a site; the compiler requires one for every method that a person's rules cover. */
export const CALLS: { readonly [M in RuledMethod]: (place: Place) => Record<string, unknown> } = {
  'act.run': ({ own }) => ({
    ...{ ...own, fields: [], steps: [{ do: 'click', target: 'css=button' }], files: [], wait_ms: 0 },
    ...{ secret: { fields: [], steps: [] }, may_type_passwords: false, show: 'none', budget: 100 },
  }),
  'crawl.begin': ({ url }) => ({ urls: [url], allow_private: true }),
  'crawl.page': ({ url }) => ({
    ...{ crawl: 'crawl-1', url, render: 'never', format: 'markdown', main_content_only: false },
    ...{ timeout_ms: 10_000, max_bytes: 100_000, allow_private: true, extract: null },
  }),
  'crawl.resource': ({ url }) => ({ url, timeout_ms: 10_000, max_bytes: 100_000, allow_private: true }),
  'takeover.begin': ({ tab }) => ({ ...tab, message: 'Log in', until: null, limit_ms: 60_000 }),
  'dialog.answer': ({ own }) => ({ ...own, accept: true, budget: 100 }),
  'storage.list': ({ tab }) => ({ ...tab, areas: ['local'] }),
  'storage.change': ({ tab }) => ({ ...tab, area: 'local', name: 'a', value: 'b', cookie: {}, sites: [] }),
  'storage.export': ({ tab }) => tab,
  'storage.import': ({ tab }) => ({
    ...{ ...tab, origin: 'http://site.test', state: { cookies: [], local: [], session: [] } },
  }),
  'page.clipboard': ({ tab }) => ({ ...tab, text: null }),
  'tab.intercept': ({ own }) => ({
    ...own,
    add: { id: 'r1', url: '**', act: { block: true, delay_ms: 0, answer: null, headers: null, login: null } },
    remove: null,
  }),
  'downloads.list': ({ tab }) => tab,
  'downloads.take': ({ tab }) => ({ ...tab, id: 1 }),
  'trace.load': ({ own }) => ({ ...own, is_cold: false, ms: 1_000 }),
  'trace.nodes': ({ tab }) => ({ ...tab, ids: [1] }),
  'trace.start': ({ own }) => own,
  'trace.stop': ({ own }) => own,
  'video.start': ({ own }) => ({ ...own, format: 'webm', fps: 5, width: 640 }),
  'video.stop': ({ own }) => own,
  'tab.emulate': ({ own }) => ({ ...own, reset: false, set: { touch: true } }),
  'page.pdf': ({ tab }) => ({ ...tab, paper: 'a4', landscape: false, scale: 1, background: true, pages: '' }),
  'page.evaluate': ({ own }) => ({
    ...{ ...own, code: '() => 1', args: [], ref: null, world: 'isolated', timeout_ms: 1_000 },
  }),
  'fetch.file': ({ url }) => ({ url, timeout_ms: 10_000, max_bytes: 100_000 }),
  'network.capture': ({ tab }) => ({ ...tab, bodies: 'none', body_bytes: 0, bodies_bytes: 0 }),
  'network.ready': ({ tab }) => tab,
  'page.await': ({ own }) => ({ ...own, conditions: { text: 'x' }, mode: 'all', timeout_ms: 0 }),
  'page.audit': ({ own }) => ({ ...own, scope: null, ...AUDIT }),
  'page.console': ({ tab }) => tab,
  'page.extract': ({ tab }) => ({
    ...tab,
    request: { fields: [], strategies: ['repeated'], selectors: null, scope: null, multiple: false },
  }),
  'page.facts': ({ tab }) => ({ ...tab, part: 'facts' }),
  'page.find': ({ own }) => ({ ...own, target: { query: 'Go' }, limit: 3 }),
  'page.inspect': ({ own }) => ({ ...own, ref: 'e1', styles: false, computed: [] }),
  'page.mhtml': ({ tab }) => tab,
  'page.more': ({ own }) => ({ ...own, click: 'button', timeout_ms: 100 }),
  'page.navigate': ({ url }) => ({
    ...{ tab_id: null, action: 'goto', url, wait_until: 'load', timeout_ms: 10_000 },
  }),
  'page.read': ({ own }) => ({
    ...{ ...own, format: 'text', selector: null },
    ...{ main_content_only: false, include_links: false, include_hidden: false },
  }),
  'page.screenshot': ({ own }) => ({
    ...{ ...own, area: 'viewport', selector: null, ref: null, format: 'png', quality: 80, max_pixels: null },
  }),
  'page.scroll': ({ tab }) => ({ ...tab, action: 'begin', call: 'c1', wait_ms: 0 }),
  'page.skeleton': ({ tab }) => ({ ...tab, selector: null, max_depth: 9, text_length: 9 }),
  'page_tools.call': ({ own }) => ({ ...own, document_id: 'gone', name: 'add', input: {}, timeout_ms: 100 }),
  'page_tools.list': ({ tab }) => tab,
  'tabs.activate': ({ tab }) => tab,
  'tabs.close': ({ tab }) => tab,
  'tabs.open': ({ url }) => ({ url, active: false }),
};
