import { flowsOf } from './follow.mjs';
import { ACCOUNT, CARD, ENTRY, ORDER, PERSON } from './pages.mjs';

/*
 * How an agent that knows the tools of chrome-devtools-mcp performs each flow: by the uids of its snapshots, the last
 * of which comes with the last act. No tool that runs code.
 */

const READS = 5;
const SCROLLS = 20;
const WAIT_MS = 100;
const PAGE = { pageId: 1 };
const KINDS = {
  Country: 'combobox',
  Language: 'combobox',
  Express: 'checkbox',
  'Gift wrap': 'checkbox',
  Boxes: 'spinbutton',
  'Delivery date': 'Date',
};

/** The uid of the first element whose line in an answer has the text. */
function uidOf(answer, text) {
  const line = answer.split('\n').find((one) => one.includes(text) && one.includes('uid='));
  const uid = /uid=(\S+)/.exec(line ?? '')?.[1];
  if (uid === undefined) throw new Error(`No uid of "${text}" was shown`);
  return uid;
}

const tools = ({ call, url, file }) => ({
  call,
  url,
  file,
  open: async () => {
    await call('navigate_page', { ...PAGE, type: 'url', url });
    return call('take_snapshot', PAGE);
  },
  click: (uid) => call('click', { ...PAGE, uid }),
  clickAndLook: (uid) => call('click', { ...PAGE, uid, includeSnapshot: true }),
  fill: (elements) => call('fill_form', { ...PAGE, elements }),
  /** Ends the flow once the proof is found. */
  readOn: async (text) => {
    for (let at = 0; at < READS; at++) await call('wait_for', { ...PAGE, text: [text] });
  },
});

const textboxes = (page, values) =>
  Object.entries(values).map(([name, value]) => ({ uid: uidOf(page, `textbox "${name}"`), value }));

/** @type {Record<string, import('./spillway-driver.mjs').Driver>} */
export const DEVTOOLS_FLOWS = flowsOf(tools, {
  login: async ({ open, fill, clickAndLook, readOn }) => {
    const page = await open();
    await fill(textboxes(page, { Email: PERSON.email, Password: PERSON.password }));
    await clickAndLook(uidOf(page, 'button "Log in"'));
    await readOn('number');
  },
  search: async ({ open, clickAndLook, readOn, call }) => {
    const uid = uidOf(await open(), 'searchbox "Search"');
    await call('fill', { ...PAGE, uid, value: 'lamp' });
    const answer = await call('press_key', { ...PAGE, key: 'Enter', includeSnapshot: true });
    const results = answer.split('\n').filter((line) => /link ".* lamp"/.test(line));
    await clickAndLook(uidOf(results[2] ?? '', 'link'));
    await readOn('number');
  },
  form: async ({ open, fill, clickAndLook, readOn }) => {
    const page = await open();
    await fill(
      Object.entries(ORDER).map(([name, value]) => {
        if (name === 'Size') return { uid: uidOf(page, `radio "${value}"`), value: 'true' };
        return { uid: uidOf(page, `${KINDS[name] ?? 'textbox'} "${name}"`), value: String(value) };
      }),
    );
    await clickAndLook(uidOf(page, 'button "Place order"'));
    await readOn('received');
  },
  table: async ({ open, click, clickAndLook, call }) => {
    const page = await open();
    await click(uidOf(page, 'button "Price"'));
    await click(uidOf(page, 'button "Next page"'));
    await clickAndLook(uidOf(page, 'button "Next page"'));
    for (let at = 0; at < READS; at++) await call('take_snapshot', PAGE);
  },
  board: async ({ open, readOn, call }) => {
    const page = await open();
    await call('drag', {
      ...PAGE,
      from_uid: uidOf(page, '"Fix the pump"'),
      to_uid: uidOf(page, 'region "Done"'),
      includeSnapshot: true,
    });
    await readOn('number');
  },
  upload: async ({ open, clickAndLook, readOn, call, file }) => {
    const page = await open();
    await call('upload_file', {
      ...PAGE,
      uid: uidOf(page, 'button "Document"'),
      filePaths: [file],
    });
    await clickAndLook(uidOf(page, 'button "Send"'));
    await readOn('number');
  },
  widget: async ({ open, click, clickAndLook, readOn }) => {
    const page = await open();
    await click(uidOf(page, 'button "More"'));
    await click(uidOf(page, 'button "More"'));
    await clickAndLook(uidOf(page, 'button "Add to basket"'));
    await readOn('Basket ');
  },
  pay: async ({ open, fill, clickAndLook, readOn }) => {
    const page = await open();
    await fill(textboxes(page, CARD));
    await clickAndLook(uidOf(page, 'button "Pay now"'));
    await readOn('receipt');
  },
  feed: async ({ call, url }) => {
    await call('navigate_page', { ...PAGE, type: 'url', url: url });
    for (let at = 0; at < SCROLLS; at++) {
      await call('press_key', { ...PAGE, key: 'End' });
      await call('wait_for', { ...PAGE, text: [`Entry ${ENTRY.wanted}`], timeout: WAIT_MS });
    }
  },
  closing: async ({ open, click, readOn, call }) => {
    await click(uidOf(await open(), 'button "Close account"'));
    await call('handle_dialog', { ...PAGE, action: 'accept', promptText: ACCOUNT });
    await readOn('reference');
  },
  app: async ({ open, click, clickAndLook, readOn, call }) => {
    await click(uidOf(await open(), 'link "Orders"'));
    const orders = await call('wait_for', { ...PAGE, text: ['Order 7'] });
    await clickAndLook(uidOf(orders, 'link "Order 7"'));
    await readOn('number');
  },
  download: async ({ open, click, call }) => {
    await click(uidOf(await open(), 'link "Export as CSV"'));
    const list = await call('list_network_requests', PAGE);
    const [, reqid] = /reqid=(\d+)[^\n]*export\.csv/.exec(list) ?? [];
    await call('get_network_request', { ...PAGE, reqid: Number(reqid) });
  },
});
