import { flowsOf } from './follow.mjs';
import { ACCOUNT, CARD, ENTRY, ORDER, PERSON } from './pages.mjs';

/*
 * How an agent that knows the tools of @playwright/mcp performs each flow: it searches the snapshot if the task names
 * what it needs, and takes the whole one otherwise. No tool that runs code.
 */

const READS = 5;
const SCROLLS = 60;
const KINDS = { Country: 'combobox', Language: 'combobox', Express: 'checkbox', 'Gift wrap': 'checkbox' };

/** The ref of the first element whose line in an answer has the text. */
function refOf(answer, text) {
  const line = answer.split('\n').find((one) => one.includes(text) && one.includes('[ref='));
  const ref = /\[ref=(\w+)\]/.exec(line ?? '')?.[1];
  if (ref === undefined) throw new Error(`No ref of "${text}" was shown`);
  return ref;
}

const tools = ({ call, url, file }) => ({
  call,
  file,
  open: () => call('browser_navigate', { url }),
  look: () => call('browser_snapshot', {}),
  find: (text) => call('browser_find', { text }),
  search: (regex) => call('browser_find', { regex }),
  click: (target) => call('browser_click', { target }),
  fill: (fields) => call('browser_fill_form', { fields }),
  /** Ends the flow once the proof is found. */
  readOn: async (text) => {
    await call('browser_find', { text });
    for (let at = 1; at < READS; at++) {
      await call('browser_wait_for', { text });
      await call('browser_find', { text });
    }
  },
});

const textboxes = (page, values) =>
  Object.entries(values).map(([name, value]) => ({
    target: refOf(page, `textbox "${name}"`),
    name,
    type: 'textbox',
    value,
  }));

/** @type {Record<string, import('./spillway-driver.mjs').Driver>} */
export const PLAYWRIGHT_FLOWS = flowsOf(tools, {
  login: async ({ open, search, fill, click, readOn }) => {
    await open();
    const page = await search('textbox|button "Log in"');
    await fill(textboxes(page, { Email: PERSON.email, Password: PERSON.password }));
    await click(refOf(page, 'button "Log in"'));
    await readOn('number');
  },
  search: async ({ open, find, look, click, readOn, call }) => {
    await open();
    const target = refOf(await find('searchbox'), 'searchbox "Search"');
    await call('browser_type', { target, text: 'lamp', submit: true });
    const results = (await look()).split('\n').filter((line) => /link ".* lamp"/.test(line));
    await click(refOf(results[2] ?? '', 'link'));
    await readOn('number');
  },
  form: async ({ open, look, fill, click, readOn }) => {
    await open();
    const page = await look();
    await fill(
      Object.entries(ORDER).map(([name, value]) => {
        if (name === 'Size')
          return { target: refOf(page, `radio "${value}"`), name, type: 'radio', value: 'true' };
        const type = KINDS[name] ?? 'textbox';
        const target = refOf(page, name === 'Boxes' ? 'spinbutton "Boxes"' : `${type} "${name}"`);
        return { target, name, type, value: String(value) };
      }),
    );
    await click(refOf(page, 'button "Place order"'));
    await readOn('received');
  },
  table: async ({ open, search, click, call }) => {
    await open();
    const page = await search('button "(Price|Next page)"');
    await click(refOf(page, 'button "Price"'));
    await click(refOf(page, 'button "Next page"'));
    await click(refOf(page, 'button "Next page"'));
    for (let at = 0; at < READS; at++) await call('browser_snapshot', { target: 'tbody tr >> nth=0' });
  },
  board: async ({ open, search, readOn, call }) => {
    await open();
    const page = await search('"(Fix the pump|Done)"');
    await call('browser_drag', {
      startTarget: refOf(page, '"Fix the pump"'),
      endTarget: refOf(page, 'region "Done"'),
    });
    await readOn('number');
  },
  upload: async ({ open, search, click, readOn, call, file }) => {
    await open();
    const page = await search('button "(Document|Send)"');
    await click(refOf(page, 'button "Document"'));
    await call('browser_file_upload', { paths: [file] });
    await click(refOf(page, 'button "Send"'));
    await readOn('number');
  },
  widget: async ({ open, search, click, readOn }) => {
    await open();
    const page = await search('button "(More|Add to basket)"');
    await click(refOf(page, 'button "More"'));
    await click(refOf(page, 'button "More"'));
    await click(refOf(page, 'button "Add to basket"'));
    await readOn('Basket ');
  },
  pay: async ({ open, search, fill, click, readOn }) => {
    await open();
    const page = await search('textbox|button "Pay now"');
    await fill(textboxes(page, CARD));
    await click(refOf(page, 'button "Pay now"'));
    await readOn('receipt');
  },
  feed: async ({ open, find, call }) => {
    await open();
    for (let at = 0; at < SCROLLS; at++) {
      await call('browser_press_key', { key: 'End' });
      await find(`Entry ${ENTRY.wanted}`);
    }
  },
  closing: async ({ open, find, click, readOn, call }) => {
    await open();
    await click(refOf(await find('Close account'), 'button "Close account"'));
    await call('browser_handle_dialog', { accept: true, promptText: ACCOUNT });
    await readOn('reference');
  },
  app: async ({ open, find, click, readOn }) => {
    await open();
    await click(refOf(await find('Orders'), 'link "Orders"'));
    // The task names what the first click shows.
    await click('text="Order 7"');
    await readOn('number');
  },
  download: async ({ open, find, click, call }) => {
    await open();
    await click(refOf(await find('Export as CSV'), 'link "Export as CSV"'));
    // The answer to another call reports a download that was not yet complete.
    for (let at = 0; at < READS; at++) await call('browser_snapshot', { depth: 1 });
  },
});
