import { TAB, ok, type ToolCase } from '../../support/tool-cases.ts';

export const adapterCases: readonly ToolCase[] = [
  ok('screenshot', 'takes a picture', { tab: TAB }),
  ok('screenshot', 'takes a handle of one', { tab: TAB, as: 'handle' }),
  ok('screenshot', 'takes tiles of a full page', { tab: TAB, area: 'full_page', as: 'tiles' }),
];
