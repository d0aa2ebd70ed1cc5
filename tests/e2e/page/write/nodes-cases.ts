/** A page, and its items without their boxes and refs. */
export type NodesCase = readonly [html: string, expected: readonly Readonly<Record<string, unknown>>[]];

/** Items below the body; boxes are in cases of their own. */
export const NODES_CASES: Readonly<Record<string, NodesCase>> = {
  'text straight inside': [
    '<p>a <b>b</b> c</p>',
    [
      { role: 'paragraph', tag: 'p', text: 'a c' },
      { role: 'generic', tag: 'b', text: 'b' },
    ],
  ],
  'an element named like what objects inherit': [
    '<constructor tabindex="0">a</constructor>',
    [{ role: 'generic', tag: 'constructor', text: 'a', attributes: { tabindex: '0' } }],
  ],
  'a link': [
    '<a href="/x">a</a>',
    [{ role: 'link', tag: 'a', name: 'a', text: 'a', attributes: { href: 'http://page.test/x' } }],
  ],
  'a button': [
    '<button disabled>a</button>',
    [
      {
        role: 'button',
        tag: 'button',
        name: 'a',
        text: 'a',
        attributes: { disabled: '' },
        states: ['disabled'],
      },
    ],
  ],
  'a field': [
    '<input aria-label="a" value="b">',
    [{ role: 'textbox', tag: 'input', name: 'a', attributes: { 'aria-label': 'a', value: 'b' }, value: 'b' }],
  ],
  'a description': [
    '<button title="b">a</button>',
    [{ role: 'button', tag: 'button', name: 'a', text: 'a', description: 'b', attributes: { title: 'b' } }],
  ],
  'a tooltip that says the name again': [
    '<button title="a">a</button>',
    [{ role: 'button', tag: 'button', name: 'a', text: 'a', attributes: { title: 'a' } }],
  ],
  'a password': [
    '<input type="password" aria-label="a" value="b">',
    [{ role: 'password', tag: 'input', name: 'a', attributes: { type: 'password', 'aria-label': 'a' } }],
  ],
  'a list': [
    '<ul><li>a</li></ul>',
    [
      { role: 'list', tag: 'ul' },
      { role: 'listitem', tag: 'li', text: 'a' },
    ],
  ],
  'a table': [
    '<table><tr><td>a</td></tr></table>',
    [
      { role: 'table', tag: 'table' },
      { role: 'rowgroup', tag: 'tbody' },
      { role: 'row', tag: 'tr' },
      { role: 'cell', tag: 'td', text: 'a' },
    ],
  ],
  'a frame': [
    '<iframe srcdoc="<p>a"></iframe>',
    [
      { role: 'generic', tag: 'html', frame: 'http://page.test' },
      { role: 'generic', tag: 'body', frame: 'http://page.test' },
      { role: 'paragraph', tag: 'p', text: 'a', frame: 'http://page.test' },
    ],
  ],
  'a shadow tree': [
    '<div><template shadowrootmode="open"><i>a</i><slot></slot></template><b>b</b></div>',
    [
      { role: 'generic', tag: 'div' },
      { role: 'generic', tag: 'i', text: 'a' },
      { role: 'generic', tag: 'b', text: 'b' },
    ],
  ],
  'what is hidden': ['<p hidden>a</p>', []],
  'a hidden input': ['<input type="hidden" value="a">', []],
  'a drawing': [
    '<svg width="9" height="9"><title>a</title></svg>',
    [{ role: 'img', tag: 'svg', name: 'a', attributes: { width: '9', height: '9' } }],
  ],
};
