import { flowsOf } from './follow.mjs';
import { ACCOUNT, CARD, ENTRY, ORDER, PERSON } from './pages.mjs';

/*
 * How an agent that knows Spillway's tools does each flow. It looks at each page before it acts on it, acts with what
 * it was shown, and continues until the proof was in an answer.
 *
 * @typedef {object} Steps what a driver gets
 * @property {(tool: string, args: Record<string, unknown>) => Promise<string>} call answers with the text
 * @property {string} url of the flow's first page
 * @property {string} file a file to upload
 *
 * @typedef {(steps: Steps) => Promise<void>} Driver
 */

const READS = 5;

/** The ref of the `nth` element whose line in an answer has the text. */
function refOf(answer, text, nth = 1) {
  const lines = answer.split('\n').filter((line) => line.includes(text));
  const [ref] = /\b(?:f\d+)?e\d+\b/.exec(lines[nth - 1] ?? '') ?? [];
  if (ref === undefined) throw new Error(`No ref of "${text}" was shown`);
  return ref;
}

const tools = ({ call, url, file }) => ({
  call,
  file,
  open: () => call('navigate', { url }),
  look: () => call('read_page', { format: 'snapshot' }),
  find: (args) => call('find', args),
  act: (args) => call('interact', args),
  /** Ends the flow once the proof is found. A receipt may already have contained it. */
  readOn: async (text) => {
    await call('find', { text });
    for (let at = 1; at < READS; at++) {
      await call('interact', { steps: [`wait text ${text}`], show: 'none' });
      await call('find', { text });
    }
  },
});

/** One control is found and clicked. */
async function clickFound({ open, find, act }, query) {
  await open();
  return act({ steps: [`click ${refOf(await find({ query }), query)}`] });
}

/** @type {Record<string, Driver>} */
export const SPILLWAY_FLOWS = flowsOf(tools, {
  login: async ({ open, look, act, readOn }) => {
    await open();
    const page = await look();
    await act({
      fields: { Email: PERSON.email, Password: PERSON.password },
      steps: [`click ${refOf(page, 'button Log in')}`],
    });
    await readOn('number');
  },
  search: async ({ open, find, act, readOn }) => {
    await open();
    const field = refOf(await find({ role: 'searchbox' }), 'searchbox');
    const results = await act({ steps: [`fill ${field} lamp`, 'press Enter'] });
    await act({ steps: [`click ${refOf(results, ' lamp]', 3)}`] });
    await readOn('number');
  },
  form: async ({ open, look, act, readOn }) => {
    await open();
    const page = await look();
    await act({ fields: ORDER, steps: [`click ${refOf(page, 'button Place order')}`] });
    await readOn('received');
  },
  table: async ({ open, find, act, call }) => {
    await open();
    const buttons = await find({ role: 'button' });
    const next = `click ${refOf(buttons, 'Next page')}`;
    await act({ steps: [`click ${refOf(buttons, 'button Price')}`, next, next] });
    for (let at = 0; at < READS; at++) await call('read_page', { selector: 'tbody', format: 'text' });
  },
  board: async ({ open, look, act, readOn }) => {
    await open();
    const page = await look();
    // The reading shows the region by role and name.
    await act({ steps: [`drag ${refOf(page, 'Fix the pump')} role=region[name="Done"]`] });
    await readOn('number');
  },
  upload: async ({ open, look, act, readOn, file }) => {
    await open();
    const page = await look();
    await act({
      steps: [`upload ${refOf(page, 'file Document')} ${file}`, `click ${refOf(page, 'button Send')}`],
    });
    await readOn('number');
  },
  widget: async ({ open, find, act, readOn }) => {
    await open();
    const buttons = await find({ role: 'button' });
    const more = `click ${refOf(buttons, 'button More')}`;
    await act({ steps: [more, more, `click ${refOf(buttons, 'Add to basket')}`] });
    await readOn('Basket');
  },
  pay: async ({ open, look, act, readOn }) => {
    await open();
    const page = await look();
    await act({ fields: CARD, steps: [`click ${refOf(page, 'button Pay now')}`] });
    await readOn('receipt');
  },
  feed: async ({ open, act, find }) => {
    await open();
    await act({ steps: [{ do: 'scroll', target: `text=Entry ${ENTRY.wanted}:` }], show: 'none' });
    await find({ text: `Entry ${ENTRY.wanted}:` });
  },
  closing: async ({ call, readOn, open, find, act }) => {
    await clickFound({ open, find, act }, 'Close account');
    await call('find_tools', { select: ['dialog'] });
    await call('dialog', { action: 'accept', text: ACCOUNT });
    await readOn('reference');
  },
  app: async ({ open, find, act, readOn }) => {
    await open();
    const orders = refOf(await find({ query: 'Orders' }), 'Orders');
    // The task names what the first click shows.
    await act({ steps: [`click ${orders}`, 'click text="Order 7"'] });
    await readOn('number');
  },
  download: async ({ act, open, find }) => {
    await clickFound({ open, find, act }, 'Export as CSV');
    await act({ steps: ['wait download'] });
  },
});
