/*
 * How an agent that knows each server's tools asks for what a task needs: the shortest way that its
 * descriptions suggest. A driver calls until its task's proof was in an answer.
 *
 * @typedef {(tool: string, args: Record<string, unknown>) => Promise<string>} Call answers with the text
 *
 * @typedef {object} Steps what a driver gets
 * @property {Call} call
 * @property {(path: string) => string} url
 *
 * @typedef {(steps: Steps) => Promise<void>} Driver
 */

const handleOf = (text) => /"output_handle": ?"(oh_\w+)"/.exec(text)?.[1];

/** Reads the whole answer of `call`, page by page. */
async function readOn(call, text) {
  const handle = handleOf(text);
  if (handle === undefined) return;
  for (let offset = 0; ;) {
    const page = await call('oc_output_fetch', { output_handle: handle, offset });
    const next = /"next_offset": ?(\d+)/.exec(page)?.[1];
    if (next === undefined) return;
    offset = Number(next);
  }
}

const spillwayRead =
  (path, args = {}, navigate = {}) =>
  async ({ call, url }) => {
    await call('navigate', { url: url(path), ...navigate });
    await readOn(call, await call('read_page', { output_mode: 'auto', ...args }));
  };

const RECORD = (properties) => ({ type: 'object', properties });
const NUMBER = { type: 'number' };
const TEXT = { type: 'string' };

/** All records of a page into a handle when they are many, and one of them by its number. */
const spillwayRecord =
  (path, schema, at, args = {}) =>
  async ({ call, url }) => {
    await call('navigate', { url: url(path) });
    const text = await call('extract_data', { schema, multiple: true, output_mode: 'auto', ...args });
    const handle = handleOf(text);
    if (handle !== undefined)
      await call('oc_output_fetch', { output_handle: handle, offset: at - 1, limit: 1 });
  };

/** @type {Record<string, Driver>} */
export const SPILLWAY_DRIVERS = {
  hours: spillwayRead('/library', { format: 'snapshot' }),
  redirect: spillwayRead('/account', { format: 'snapshot' }),
  article: spillwayRead('/article', { find: 'Part 37' }),
  clutter: spillwayRead('/clutter', { find: 'crowns' }),
  row: spillwayRead('/stock', { find: 'Item 1377' }),
  records: spillwayRecord('/products', RECORD({ title: TEXT, price: NUMBER }), 1),
  late: spillwayRead('/late', { format: 'snapshot' }, { wait_for: { text: 'Balance' } }),
  frame: spillwayRead('/frame', { format: 'snapshot' }),
  virtual: async ({ call, url }) => {
    await call('navigate', { url: url('/virtual') });
    const text = await call('read_page', {
      scroll: 'to_end',
      format: 'nodes',
      max_scrolls: 1000,
      output_mode: 'auto',
    });
    await call('oc_output_fetch', { output_handle: handleOf(text), offset: 3760, limit: 40 });
  },
  guides: async ({ call, url }) => {
    const text = await call('crawl', { url: url('/guides'), find: 'default port', output_mode: 'auto' });
    await readOn(call, text);
  },
  api: async ({ call, url }) => {
    await call('network', { action: 'start', tab: 'all' });
    await call('navigate', { url: url('/orders'), wait_until: 'networkidle' });
    await call('network', {
      filter: { url: '/api/orders/23' },
      bodies: 'text',
      fields: ['request.url', 'response.status', 'response.content.text'],
    });
  },
  pdf: spillwayRead('/contract.pdf', { format: 'text' }),
};

const playwrightFind =
  (path, text) =>
  async ({ call, url }) => {
    await call('browser_navigate', { url: url(path) });
    await call('browser_find', { text });
    await call('browser_snapshot', {});
  };

const playwrightRead =
  (path) =>
  async ({ call, url }) => {
    await call('browser_navigate', { url: url(path) });
    await call('browser_snapshot', {});
  };

const scrollToMember =
  'const list = document.querySelector("#list"); list.scrollTop = list.scrollHeight * 3777 / 5000; await new Promise((done) => setTimeout(done, 100));';

/** @type {Record<string, Driver>} */
export const PLAYWRIGHT_DRIVERS = {
  hours: playwrightRead('/library'),
  redirect: playwrightRead('/account'),
  article: playwrightFind('/article', 'Part 37'),
  clutter: playwrightFind('/clutter', 'crowns'),
  row: playwrightFind('/stock', 'Item 1377'),
  records: playwrightRead('/products'),
  late: async ({ call, url }) => {
    await call('browser_navigate', { url: url('/late') });
    await call('browser_wait_for', { text: 'Balance' });
    await call('browser_snapshot', {});
  },
  frame: playwrightRead('/frame'),
  virtual: async ({ call, url }) => {
    await call('browser_navigate', { url: url('/virtual') });
    await call('browser_evaluate', { function: `async () => { ${scrollToMember} }` });
    await call('browser_find', { text: 'Member 3777,' });
    await call('browser_snapshot', {});
  },
  guides: async ({ call, url }) => {
    await call('browser_navigate', { url: url('/guides') });
    for (let at = 1; at <= 12; at++) {
      await call('browser_navigate', { url: url(`/guides/${at}`) });
      await call('browser_find', { text: 'default port' });
    }
  },
  api: async ({ call, url }) => {
    await call('browser_navigate', { url: url('/orders') });
    const list = await call('browser_network_requests', { static: false, filter: '/api/orders/23$' });
    const index = Number(/^\s*(\d+)\./m.exec(list)?.[1] ?? /\[?#?(\d+)\]?/.exec(list)?.[1]);
    await call('browser_network_request', { index });
    await call('browser_network_request', { index, part: 'response-body' });
  },
  pdf: playwrightRead('/contract.pdf'),
};

const devtoolsRead =
  (path) =>
  async ({ call, url }) => {
    await call('navigate_page', { pageId: 1, type: 'url', url: url(path) });
    await call('take_snapshot', { pageId: 1 });
  };

/** @type {Record<string, Driver>} */
export const DEVTOOLS_DRIVERS = {
  hours: devtoolsRead('/library'),
  redirect: devtoolsRead('/account'),
  article: devtoolsRead('/article'),
  clutter: devtoolsRead('/clutter'),
  row: devtoolsRead('/stock'),
  records: devtoolsRead('/products'),
  late: async ({ call, url }) => {
    await call('navigate_page', { pageId: 1, type: 'url', url: url('/late') });
    await call('wait_for', { pageId: 1, text: ['Balance'] });
    await call('take_snapshot', { pageId: 1 });
  },
  frame: devtoolsRead('/frame'),
  virtual: async ({ call, url }) => {
    await call('navigate_page', { pageId: 1, type: 'url', url: url('/virtual') });
    await call('evaluate_script', { pageId: 1, function: `async () => { ${scrollToMember} }` });
    await call('take_snapshot', { pageId: 1 });
  },
  guides: async ({ call, url }) => {
    await call('navigate_page', { pageId: 1, type: 'url', url: url('/guides') });
    for (let at = 1; at <= 12; at++) await devtoolsRead(`/guides/${at}`)({ call, url });
  },
  api: async ({ call, url }) => {
    await call('navigate_page', { pageId: 1, type: 'url', url: url('/orders') });
    const list = await call('list_network_requests', { pageId: 1, resourceTypes: ['fetch', 'xhr'] });
    const reqid = Number(/reqid=(\d+)[^\n]*\/api\/orders\/23\b/.exec(list)?.[1]);
    await call('get_network_request', { pageId: 1, reqid });
  },
  pdf: devtoolsRead('/contract.pdf'),
};
