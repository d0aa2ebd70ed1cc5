import { GeneralRender } from '../../components/general/render.tsx';
import type { FacesOf, Render } from '../face.ts';

export const faces: FacesOf<Render> = { script: GeneralRender };
