import { GeneralRender } from '../../components/general/render.tsx';
import type { FacesOf, Render } from '../face.ts';

export const faces: FacesOf<Render> = {
  recipe_search: GeneralRender,
  recipe_get: GeneralRender,
  recipe_run: GeneralRender,
  recipe_save: GeneralRender,
  recipe_delete: GeneralRender,
};
