import { lookUp } from '../../../shared/base/json.ts';
import { GeneralRender } from '../general-render.tsx';
import type { Render } from './face.ts';
import { BROWSER_RENDERS } from '../../inspect/panel/views.ts';
import { PAGE_RENDERS } from '../../read/panel/view.tsx';
import { RECIPE_RENDERS } from '../../recipes/panel/view.tsx';
import { RUN_RENDERS } from '../../runs/panel/view.ts';
import { SERVER_RENDERS } from '../../outputs/panel/views.ts';

const RENDERS: Readonly<Record<string, Render>> = {
  ...BROWSER_RENDERS,
  ...PAGE_RENDERS,
  ...SERVER_RENDERS,
  ...RUN_RENDERS,
  ...RECIPE_RENDERS,
};

export const renderOfApi = (api: string): Render => lookUp(RENDERS, api) ?? GeneralRender;
