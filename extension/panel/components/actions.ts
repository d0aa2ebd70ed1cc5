import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FaceActions } from '../tools/face.ts';

/** For places that cannot open anything. */
export const NO_ACTIONS: FaceActions = {
  openLink: null,
  openOutput: null,
  openRun: null,
  openPortal: null,
  page: null,
  recipes: null,
};

export const ActionsContext = createContext(NO_ACTIONS);

export const useActions = (): FaceActions => useContext(ActionsContext);
