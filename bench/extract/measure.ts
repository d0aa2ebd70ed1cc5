import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type LoadedCase,
  loadOwn,
  loadPublic,
  SETS,
  type SetName,
} from '../../tests/support/extract-suite/public-case.ts';
import {
  measureCase,
  precisionOf,
  recallOf,
  sumOf,
  type Score,
} from '../../tests/support/extract-suite/run.ts';
import type { PageFunctions } from '../../tests/support/page-lab/page-bundle.ts';
import { PAGE_BUNDLE, startLab } from '../../tests/support/page-lab/start-lab.ts';

/**
 * Prints the precision and recall of `extract_data` over the suite of pages. For held-out pages no mistakes are
 * printed: nobody should write rules for them, and each look at their score makes them less held out. They are measured
 * with `--set held` and `--set next`; for `next` only the total is printed.
 */
const { values } = parseArgs({
  options: {
    public: { type: 'string' },
    set: { type: 'string', multiple: true, default: ['dev'] },
    only: { type: 'string' },
  },
});

const NAMES = { dev: 'development', held: 'held out', next: 'held out, next' } as const;
type Shown = 'mistakes' | 'scores' | 'total';
const SHOWN: Readonly<Record<SetName, Shown>> = { dev: 'mistakes', held: 'scores', next: 'total' };
const lab = await startLab<PageFunctions>(PAGE_BUNDLE);

const percent = (share: number): string => share.toFixed(3);
const line = (name: string, score: Score): string =>
  `| ${name.padEnd(38)} | ${percent(precisionOf(score))} | ${percent(recallOf(score))} | ${String(score.returned).padStart(5)} | ${String(score.gold).padStart(5)} | ${String(score.invented).padStart(3)} |`;

async function measureSet(name: string, all: readonly LoadedCase[], shows: Shown): Promise<void> {
  const cases = all.filter(({ type }) => type.includes(values.only ?? ''));
  if (cases.length === 0) return;
  console.log(`\n${name}: ${cases.length} pages`);
  console.log(`| ${'page type'.padEnd(38)} | prec. | rec.  | given |  gold | inv |`);
  const scores: Score[] = [];
  for (const one of cases) {
    const score = await measureCase(lab, one);
    scores.push(score);
    if (shows !== 'total') console.log(line(one.type, score));
    if (shows === 'mistakes') for (const mistake of score.mistakes.slice(0, 6)) console.log(`    ${mistake}`);
  }
  console.log(line('all', sumOf(scores)));
}

try {
  for (const set of SETS) {
    if (!values.set.includes(set)) continue;
    await measureSet(`Own pages, ${NAMES[set]}`, loadOwn(set), SHOWN[set]);
    if (values.public === undefined) continue;
    await measureSet(`Public pages, ${NAMES[set]}`, loadPublic(set, resolve(values.public)), SHOWN[set]);
  }
} finally {
  await lab.page.context().browser()?.close();
}
