import type { BridgeHandlers } from '../../support/bridge-handlers.ts';
import { TAB, fails, ok, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('inspect', 'names the component', { tab: TAB, ref: 'e1' }),
  fails('inspect', 'invalid_argument', { tab: TAB }),
];

export const outputCases: readonly OutputCase[] = [
  { tool: 'inspect', args: { tab: 'b1:1', ref: 'e1', styles: true }, has: 'components' },
];

export const fakeHandlers: BridgeHandlers = {
  'page.inspect': async () => ({
    url: 'https://example.com/',
    components: [
      {
        framework: 'vue',
        name: 'Mill',
        file: 'src/Mill.vue',
        line: 4,
        column: 1,
        is_definition: true,
        place: null,
      },
    ],
    rules: [
      {
        selector: '.mill',
        conditions: [],
        inherited: null,
        file: 'src/mill.css',
        place: null,
        declares: ['color: red'],
        overridden: [],
      },
    ],
    computed: {},
    left_out: 0,
  }),
};
