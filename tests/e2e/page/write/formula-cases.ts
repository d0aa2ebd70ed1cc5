const FRACTION = '<mfrac><mn>1</mn><mrow><mn>2</mn><mi>a</mi></mrow></mfrac>';
const POWER =
  '<mrow><msup><mn>2</mn><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msup><mo>−</mo><mn>1</mn></mrow>';

/** As KaTeX writes it: MathML out of sight, and what draws it. */
const KATEX = `<style>.katex-mathml{position:absolute;clip:rect(1px,1px,1px,1px);height:1px;width:1px;overflow:hidden}</style><span class="katex"><span class="katex-mathml"><math><semantics>${FRACTION}<annotation encoding="application/x-tex">\\frac{1}{2a}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span class="base">12a</span></span></span>`;

/** As MathJax writes it: signs by style or as a drawing, and MathML for assistive technology. */
const mathjax = (content: string, drawn: string, attributes: string): string =>
  `<style>mjx-assistive-mml{position:absolute!important;clip:rect(1px,1px,1px,1px);overflow:hidden!important}mjx-c::before{content:"1"}</style><mjx-container ${attributes} tabindex="0">${drawn}<mjx-assistive-mml unselectable="on" display="inline"><math>${content}</math></mjx-assistive-mml></mjx-container>`;
const CHTML =
  '<mjx-math class="MJX-TEX" aria-hidden="true"><mjx-mn class="mjx-n"><mjx-c class="mjx-c31"></mjx-c></mjx-mn></mjx-math>';
const SVG =
  '<svg aria-hidden="true" width="9" height="9"><defs><path id="N-31" d="M0 0"></path></defs><g><use href="#N-31"></use></g></svg>';

/** Formulas as libraries write them: how every format reads them, and how Markdown does if that is different. */
export const FORMULA_CASES = `
fraction ¦ <math>${FRACTION}</math> ¦ 1/(2a)
roots ¦ <math><msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt><mo>,</mo><mroot><mi>x</mi><mn>3</mn></mroot></math> ¦ √(x+1),3√(x)
lower and upper part ¦ <math><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup></math> ¦ x_i^2
choices ¦ <math><mrow><mo>(</mo><mfrac linethickness="0"><mi>n</mi><mrow><mi>k</mi><mo>+</mo><mn>1</mn></mrow></mfrac><mo>)</mo></mrow></math> ¦ (n choose (k+1))
one condition above another ¦ <math><munder><mo>∑</mo><mfrac linethickness="0pt"><mrow><mi>i</mi><mo>≤</mo><mi>n</mi></mrow><mi>j</mi></mfrac></munder></math> ¦ ∑_((i≤n); j) ¦ ∑\\_((i≤n); j)
parts before the base ¦ <math><mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts></math> ¦ _6^14 C ¦ \\_6^14 C
invisible signs ¦ <math><mrow><mn>2</mn><mo>\u2062</mo><mi>a</mi><mo>+</mo><mi>sin</mi><mo>\u2061</mo><mi>x</mi><mo>+</mo><mi>f</mi><mo>\u2061</mo><mrow><mo>(</mo><mi>y</mi><mo>)</mo></mrow></mrow></math> ¦ 2a+sin x+f(y)
brackets by an element ¦ <math><mi>f</mi><mfenced><mi>x</mi><mi>y</mi></mfenced></math> ¦ f(x, y)
matrix ¦ <math><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable><mo>)</mo></math> ¦ (1, 0; 0, 1)
by KaTeX ¦ ${KATEX} ¦ $\\frac{1}{2a}$
by MathJax 3 ¦ ${mathjax(FRACTION, CHTML, 'class="MathJax" jax="CHTML"')} ¦ 1/(2a)
by MathJax 3 as a drawing ¦ ${mathjax(POWER, SVG, 'class="MathJax" jax="SVG"')} ¦ 2^(n+1)−1
by MathJax 4 ¦ ${mathjax(FRACTION, CHTML, 'jax="CHTML" role="math" aria-label="1 over 2 a"')} ¦ 1/(2a)
`;
