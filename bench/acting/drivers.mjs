import { FIELDS } from './pages.mjs';

/*
 * How each server performs the same acts: a list of calls each. Facts that a server needs about the page, such as the
 * ids of its elements, are provided before the clock starts.
 */

const interact = (args) => [{ tool: 'interact', args }];

export const SPILLWAY_ACTS = {
  prepare: async () => null,
  nothing: () => interact({ steps: ['click css=#nothing'] }),
  fill: (_known, at) => interact({ steps: [`fill css=#name Ada ${at}`] }),
  page: () => interact({ steps: ['click css=#link'] }),
  route: () => interact({ steps: ['click css=#route'] }),
  form: () => interact({ fields: FIELDS, steps: ['click css=#send'] }),
};

const KINDS = { Country: 'combobox', Newsletter: 'checkbox', Size: 'radio' };

export const PLAYWRIGHT_ACTS = {
  prepare: async () => null,
  nothing: () => [{ tool: 'browser_click', args: { target: '#nothing' } }],
  fill: (_known, at) => [{ tool: 'browser_type', args: { target: '#name', text: `Ada ${at}` } }],
  page: () => [{ tool: 'browser_click', args: { target: '#link' } }],
  route: () => [{ tool: 'browser_click', args: { target: '#route' } }],
  form: () => [
    {
      tool: 'browser_fill_form',
      args: {
        fields: Object.entries(FIELDS).map(([name, value]) => ({
          target: name === 'Size' ? '[name="Size"][value="Medium"]' : `[name="${name}"]`,
          name,
          type: KINDS[name] ?? 'textbox',
          value: name === 'Size' ? 'true' : String(value),
        })),
      },
    },
    { tool: 'browser_click', args: { target: '#send' } },
  ],
};

/** The uid of an element in a snapshot of chrome-devtools-mcp. */
function uidOf(snapshot, role, name) {
  const line = snapshot.split('\n').find((one) => one.includes(`${role} "${name}"`));
  return /uid=(\S+)/.exec(line ?? '')?.[1];
}

const PAGE = { pageId: 1 };

export const DEVTOOLS_ACTS = {
  prepare: async (call) => call({ tool: 'take_snapshot', args: PAGE }),
  nothing: (known) => [{ tool: 'click', args: { ...PAGE, uid: uidOf(known, 'button', 'Nothing') } }],
  fill: (known, at) => [
    { tool: 'fill', args: { ...PAGE, uid: uidOf(known, 'textbox', 'Name'), value: `Ada ${at}` } },
  ],
  page: (known) => [{ tool: 'click', args: { ...PAGE, uid: uidOf(known, 'link', 'Arrive') } }],
  route: (known) => [{ tool: 'click', args: { ...PAGE, uid: uidOf(known, 'button', 'Route') } }],
  form: (known) => [
    {
      tool: 'fill_form',
      args: {
        ...PAGE,
        elements: Object.entries(FIELDS).map(([name, value]) => ({
          uid:
            name === 'Size' ? uidOf(known, 'radio', 'Medium') : uidOf(known, KINDS[name] ?? 'textbox', name),
          value: name === 'Size' ? 'true' : String(value),
        })),
      },
    },
    { tool: 'click', args: { ...PAGE, uid: uidOf(known, 'button', 'Send') } },
  ],
};
