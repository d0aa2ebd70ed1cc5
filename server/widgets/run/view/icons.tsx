import type { JSX } from 'preact';
import type { Run } from '../model/answer.ts';

export type Tone = 'busy' | 'good' | 'bad' | 'wait' | 'off' | 'plain';

const TONES: Readonly<Record<Run['status'], Tone>> = {
  queued: 'wait',
  running: 'busy',
  completed: 'good',
  failed: 'bad',
  cancelled: 'off',
  interrupted: 'wait',
};

export const toneOf = (status: Run['status']): Tone => TONES[status];

/** Strokes in a square of 20. */
const PATHS: Readonly<Record<Tone, string>> = {
  busy: 'M10 3a7 7 0 1 0 7 7',
  good: 'M5 10.5l3.4 3.4L15 7',
  bad: 'M6 6l8 8M14 6l-8 8',
  wait: 'M10 4.5V10l4 2.4',
  off: 'M6.5 6.5h7v7h-7z',
  plain: 'M5 7h10M5 10h10M5 13h6',
};

/** Decorative: the words next to it say the same. */
export const ToneIcon = ({ mood }: { readonly mood: Tone }): JSX.Element => (
  <span class={`mood ${mood}`} aria-hidden="true">
    <svg viewBox="0 0 20 20" width="18" height="18">
      <path d={PATHS[mood]} />
    </svg>
  </span>
);

export const Chevron = (): JSX.Element => (
  <svg class="chevron" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
    <path d="M4.5 2.5L8 6l-3.5 3.5" />
  </svg>
);
