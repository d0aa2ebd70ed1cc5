import { lookUp } from '../../../shared/json.ts';
import { GeneralRender } from '../components/general-render.tsx';
import { rendersOf } from './blocks.tsx';
import type { Render } from './face.ts';
import { BROWSER_VIEWS } from './views/browser.ts';
import { PAGE_VIEWS } from './views/page.tsx';
import { RECIPE_VIEWS } from './views/recipes.tsx';
import { RUN_VIEWS } from './views/runs.ts';
import { SERVER_VIEWS } from './views/server.ts';

const RENDERS = rendersOf({
  ...BROWSER_VIEWS,
  ...PAGE_VIEWS,
  ...SERVER_VIEWS,
  ...RUN_VIEWS,
  ...RECIPE_VIEWS,
});

export const renderOfApi = (api: string): Render => lookUp(RENDERS, api) ?? GeneralRender;
