import type { AriaCases } from './role-cases.ts';

const svg = (inner: string): string => `<svg width="50" height="50">${inner}</svg>`;

/** Parts of drawings, rows of tables, and references that count twice or across trees. */
export const DRAWING_CASES: AriaCases = {
  'parts of drawings': {
    'shapes with a title': svg(
      '<rect t width="9" height="9"><title>R</title></rect><path t d="M0 0L5 5"><title>P</title></path><circle t r="5"/>',
    ),
    'shapes with a label': svg('<rect t aria-label="R" width="9" height="9"/>'),
    'shapes that take the focus': svg('<rect t tabindex="0" width="9" height="9"/>'),
    'shapes with a description alone': svg('<path t d="M0 0L5 5"><desc>D</desc></path>'),
    groups: svg('<g t><title>G</title><rect width="5" height="5"/></g><g t><rect width="5" height="5"/></g>'),
    'groups with a role': svg(
      '<g t role="button" tabindex="0"><title>B</title><rect width="5" height="5"/></g>',
    ),
    pictures: svg(
      '<image t href="data:," width="5" height="5"/><image t href="data:," width="5" height="5"><title>I</title></image>',
    ),
    links: svg('<a t href="/x"><title>L</title><rect width="5" height="5"/></a>'),
    'graphics roles':
      '<svg t role="graphics-document" aria-label="x" width="9" height="9"><rect t role="graphics-symbol" aria-label="y" width="5" height="5"/><g t role="graphics-object" aria-label="z"><rect width="5" height="5"/></g></svg>',
  },
  'rows and terms': {
    'row of a grid': '<table role="grid"><tr t><td>a</td><td>b</td></tr></table>',
    'row of a treegrid': '<div role="treegrid"><div t role="row"><span role="gridcell">x</span></div></div>',
    'row of a group in a grid':
      '<div role="grid"><div role="rowgroup"><div t role="row"><span role="gridcell">x</span></div></div></div>',
    'row of a table': '<div role="table"><div t role="row"><span role="cell">x</span></div></div>',
    'terms and definitions': '<dl><dt t>a</dt><dd t>b</dd></dl>',
  },
  'references that count again': {
    'in a row': `<div role="grid"><div t role="row"><span role="gridcell"><a id="a" href="/x">Ann</a></span><span role="gridcell"><b id="b" role="button" tabindex="0" aria-label="Remove" aria-labelledby="b a">x</b></span></div></div>`,
    'the same twice': '<b id="a">One</b><button t aria-labelledby="a a">x</button>',
    'set by script': '<b id="a">One</b><button t data-label="#a">x</button>',
    'set by script into another tree':
      '<b id="a">One</b><div><template shadowrootmode="open"><button t data-label="#a">x</button></template></div>',
  },
  'decorations part no words': {
    'in a link': '<a t href="/x">(<img src="data:," alt="">reload)</a>',
    'a picture parts them': '<a t href="/x">(<img src="data:," alt="x">reload)</a>',
  },
};
