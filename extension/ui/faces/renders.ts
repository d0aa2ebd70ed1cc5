import { lookUp } from '../../../shared/base/json.ts';
import { GeneralRender } from '../general-render.tsx';
import { rendersOf } from './blocks.tsx';
import type { Render } from './face.ts';
import { BROWSER_VIEWS } from '../../inspect/panel/views.ts';
import { PAGE_VIEWS } from '../../read/panel/view.tsx';
import { RECIPE_VIEWS } from '../../recipes/panel/view.tsx';
import { RUN_VIEWS } from '../../runs/panel/view.ts';
import { SERVER_VIEWS } from '../../outputs/panel/views.ts';

const RENDERS = rendersOf({
  ...BROWSER_VIEWS,
  ...PAGE_VIEWS,
  ...SERVER_VIEWS,
  ...RUN_VIEWS,
  ...RECIPE_VIEWS,
});

export const renderOfApi = (api: string): Render => lookUp(RENDERS, api) ?? GeneralRender;
