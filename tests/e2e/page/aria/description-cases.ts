/** Pages whose marked elements are described, or are not. */
export const DESCRIPTION_CASES: Readonly<Record<string, string>> = {
  none: '<button t>a</button>',
  'aria-describedby': '<input t aria-describedby="d"><p id="d">Hint <b>x</b></p>',
  'several, in their order':
    '<button t aria-describedby="d2 d1">a</button><p id="d1">One</p><p id="d2">Two</p>',
  'one that is hidden': '<button t aria-describedby="d">a</button><p id="d" hidden>One</p>',
  'one that is missing': '<button t aria-describedby="d">a</button>',
  'one that has a label': '<button t aria-describedby="d">a</button><p id="d" aria-label="L">One</p>',
  'aria-description': '<button t aria-description="d">a</button>',
  'aria-describedby before aria-description':
    '<button t aria-describedby="d" aria-description="x">a</button><p id="d">One</p>',
  'aria-description before a title': '<button t aria-description="d" title="t">a</button>',
  'a title that is not the name':
    '<button t title="t">a</button><a t href="/x" title="t">a</a><input t aria-label="n" title="t">',
  'a title that is the name': '<button t title="t"></button><input t title="t">',
  'elements set by script': '<button t data-note="#d">a</button><p id="d">One</p>',
};
