import type { Risk } from '../../../shared/policy/risks.ts';
import type { ShownQuestion } from '../../approve/protocol.ts';

/** The risk that a card is named after: the first of these. */
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

/** The risk that a question is named after. */
export const gravestOf = ({ risks }: Pick<ShownQuestion, 'risks'>): Risk =>
  GRAVEST.find((risk) => risks.includes(risk)) ?? 'read';
