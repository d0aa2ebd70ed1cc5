import type { AriaCases } from './role-cases.ts';

const svg = (inner: string): string => `<svg width="50" height="50">${inner}</svg>`;

/** Roles that an author takes away, parts of drawings, cells of grids, and references set by script. */
export const KEPT_ROLE_CASES: AriaCases = {
  'role none on what can have the focus': {
    'fields and lists of choices':
      '<select t role="none" aria-label="a"><option>x</option></select><textarea t role="presentation" aria-label="b"></textarea>',
    'summary of details': '<details open><summary t role="none">More</summary>x</details>',
    'a frame with a title': '<iframe t role="none" title="Map"></iframe>',
    'picture that is tabbable': '<img t role="none" tabindex="0" alt="Mill" src="data:,">',
    'picture that only scripts focus': '<img t role="none" tabindex="-1" alt="Mill" src="data:,">',
    'fieldset that is disabled': '<fieldset t role="none" disabled><legend>G</legend><input></fieldset>',
    'link without an address': '<a t role="none">x</a>',
    'row and cell':
      '<table><tr><th>a</th><th>b</th></tr><tr t role="none" tabindex="0"><td t role="none" tabindex="-1">x</td><td>y</td></tr></table>',
    'cell of a table that lays out':
      '<table role="none"><tr><td t tabindex="0">x</td><td t>y</td></tr></table>',
    'items of a list without its role':
      '<ol role="presentation"><li t>a</li><li t aria-label="B">b</li></ol>',
    'list in an item of a list without its role': '<ul role="none"><li>a<ul t><li t>b</li></ul></li></ul>',
    'reference that leads nowhere': '<nav t role="none" aria-labelledby="gone">x</nav>',
    'reference of no length': '<nav t role="none" aria-labelledby="">x</nav>',
    'reference that leads to something': '<b id="a">One</b><nav t role="none" aria-labelledby="a">x</nav>',
    'label of no length': '<nav t role="none" aria-label="">x</nav>',
    'blank label': '<nav t role="none" aria-label=" ">x</nav>',
    'inside a disabled fieldset': '<fieldset disabled><button t role="none">a</button></fieldset>',
    'editable as plain text': '<h2 t role="none" contenteditable="plaintext-only">x</h2>',
    'hidden field': '<h3 t role="none"><input type="hidden" value="x">y</h3>',
  },
  'more parts of drawings': {
    text: svg('<text t y="9">Go</text>'),
    'text with a label': svg('<text t y="9" aria-label="L">Go</text>'),
    'group of role img': svg('<g t role="img"><title>G</title><rect width="5" height="5"/></g>'),
    'group of role img without a name': svg('<g t role="img"><rect width="5" height="5"/></g>'),
    'link without an address': svg('<a t><text y="9">Go</text></a>'),
    'link of the older kind': svg('<a t xlink:href="/x"><text y="9">Go</text></a>'),
    'use with a title': svg(
      '<defs><rect id="r" width="5" height="5"/></defs><use t href="#r"><title>U</title></use>',
    ),
    'use without a title': svg('<defs><rect id="r" width="5" height="5"/></defs><use t href="#r"/>'),
    'shape with an empty title': svg('<rect t width="5" height="5"><title> </title></rect>'),
    'ellipse, line, polygon and polyline': svg(
      '<ellipse t rx="5" ry="3" aria-label="a"/><line t x2="9" y2="9" stroke="red" aria-label="b"/><polygon t points="0,0 5,5 0,5" aria-label="c"/><polyline t points="0,0 5,5 0,5" aria-label="d"/>',
    ),
    'html inside': svg('<foreignObject width="40" height="20"><button t>B</button></foreignObject>'),
    'whole drawing of role none':
      '<svg t role="none" width="9" height="9"><title>S</title><rect width="9" height="9"/></svg>',
    'whole drawing that can have the focus':
      '<svg t role="presentation" tabindex="0" aria-label="S" width="9" height="9"><rect width="9" height="9"/></svg>',
    'drawing in a button':
      '<button t><svg width="9" height="9"><title>Close</title><rect width="9" height="9"/></svg></button>',
    'drawing in a link, named by reference':
      '<a t href="/x"><svg role="img" aria-labelledby="s d" width="9" height="9"><title id="s">Sail</title><desc id="d">white</desc></svg></a>',
  },
  'cells of grids': {
    'selected and focusable':
      '<table role="grid" aria-label="G"><tbody><tr><td t tabindex="0" aria-selected="true">x</td><td t tabindex="-1">y</td></tr></tbody></table>',
    headers:
      '<table role="grid" aria-label="G"><tr><th t>A</th><th t>B</th></tr><tr><th t scope="row">c</th><td t>d</td></tr></table>',
    'header that sorts':
      '<table role="grid" aria-label="G"><tr><th t aria-sort="ascending"><button t>A</button></th></tr></table>',
    'cell with a link and a button':
      '<table role="grid" aria-label="G"><tr><td t><a href="/x">Ann</a> <button>Edit</button></td></tr></table>',
    'cell with a label':
      '<div role="grid" aria-label="G"><div t role="row"><div t role="gridcell" aria-label="L">x</div></div></div>',
    'cell of a grid in a table': '<table><tr><td t role="gridcell">x</td></tr></table>',
    'body without its role':
      '<table role="grid" aria-label="G"><tbody role="presentation"><tr t><td t>x</td></tr></tbody></table>',
    'row without its role':
      '<table role="grid" aria-label="G"><tr role="none"><td t>x</td></tr><tr><td t>y</td></tr></table>',
    'treegrid with levels':
      '<table role="treegrid" aria-label="G"><tr t aria-level="1" aria-expanded="true"><td t>x</td></tr></table>',
  },
  'references set by script': {
    'over a label': '<b id="a">One</b><input t aria-label="x" data-label="#a">',
    'over the label of a field': '<b id="a">One</b><label>Two <input t data-label="#a"></label>',
    several: '<b class="a">One</b><b class="a">Two</b><button t data-label=".a">x</button>',
    'to nothing': '<button t data-label=".gone" aria-label="L">x</button>',
    'on a region': '<b id="a">One</b><section t data-label="#a">x</section>',
    'on a role that is taken away': '<b id="a">One</b><nav t role="none" data-label="#a">x</nav>',
    'to a part that is hidden': '<b id="a" hidden>One</b><button t data-label="#a">x</button>',
    'to a field': '<input id="a" value="v" aria-label="L"><button t data-label="#a">x</button>',
    'on a table and a drawing':
      '<b id="a">One</b><table t data-label="#a"><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><svg t role="img" data-label="#a" width="9" height="9"><rect width="9" height="9"/></svg>',
  },
};
