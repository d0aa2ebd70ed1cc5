import { GeneralRender } from '../components/general-render.tsx';
import { renderOfView } from './blocks.tsx';
import type { Render } from './face.ts';
import { BROWSER_VIEWS } from './views/browser.ts';
import { RECIPE_VIEWS } from './views/recipes.ts';
import { RUN_VIEWS } from './views/runs.ts';
import { SERVER_VIEWS } from './views/server.ts';

const VIEWS = { ...BROWSER_VIEWS, ...SERVER_VIEWS, ...RUN_VIEWS, ...RECIPE_VIEWS };

// Made once: a component that is another one each time would be drawn again from nothing.
const RENDERS: ReadonlyMap<string, Render> = new Map(
  Object.entries(VIEWS).map(([api, view]) => [api, renderOfView(view)]),
);

/** What shows the answers of an api: its view, or what they are. */
export const renderOfApi = (api: string): Render => RENDERS.get(api) ?? GeneralRender;

/** The Renders of some apis by name. */
export const rendersOf = (...apis: readonly (keyof typeof VIEWS)[]): Readonly<Record<string, Render>> =>
  Object.fromEntries(apis.map((api) => [api, renderOfApi(api)]));

/** The apis whose answers are about one run. */
export const RUN_APIS = [
  'run_status',
  'run_cancel',
  'run_resume',
  'run_output',
  'run_list',
  'run_log',
] as const;
