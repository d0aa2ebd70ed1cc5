import type { Risk } from '../../../shared/policy/risks.ts';
import type { ShownQuestion } from '../../approve/protocol.ts';

/** A card is named after the first of these risks. */
export const GRAVEST: readonly Risk[] = [
  'evaluate',
  'capture_network',
  'upload',
  'crawl',
  'dialog',
  'submit',
  'download',
  'input',
  'navigate',
  'read',
];

export const gravestOf = ({ risks }: Pick<ShownQuestion, 'risks'>): Risk =>
  GRAVEST.find((risk) => risks.includes(risk)) ?? 'read';
