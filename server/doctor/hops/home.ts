import type { RecipeProblem } from '../../core/recipes.ts';
import { pass, type Hop } from '../hop.ts';
import type { UpstreamReport } from '../../upstream/index.ts';

interface RecipeCheck {
  readonly recipes: readonly string[];
  readonly problems: readonly RecipeProblem[];
}

/** The files of recipes. One that cannot be used is named and fails no hop: everything else works. */
export const recipesHop = (check: () => RecipeCheck): Hop<unknown> => ({
  id: 'recipes',
  title: 'Recipes',
  timeoutMs: 5_000,
  async run() {
    const { recipes, problems } = check();
    return pass(
      [recipes.length === 0 ? 'none that can be used' : recipes.join(', ')],
      problems.map(({ file, problem }) => `recipes/${file} cannot be used: ${problem}.`),
    );
  },
});

interface UpstreamCheck {
  readonly reports: readonly UpstreamReport[];
  /** The file, where other users can read it. */
  readonly looseFile: string | null;
}

/**
 * Each upstream connects. One that does not is named and fails no hop: its tools are away, and everything else works.
 */
export const upstreamsHop = (check: () => Promise<UpstreamCheck>): Hop<unknown> => ({
  id: 'upstreams',
  title: 'Upstreams',
  timeoutMs: 45_000,
  async run() {
    const { reports, looseFile } = await check();
    const evidence = reports.map(({ id, tools, state }) =>
      state === 'ready' ? `${id}: ${tools} tools` : `${id}: away`,
    );
    const loose =
      looseFile === null
        ? []
        : [`Other users can read ${looseFile}, which may hold secrets: run \`chmod 600\` on it.`];
    return pass(evidence, [...loose, ...reports.flatMap(warningsOf)]);
  },
});

function warningsOf(report: UpstreamReport): readonly string[] {
  const { id, state, problem, target, tools, isCut = false, unaccepted, renamed } = report;
  return [
    ...(state === 'ready'
      ? []
      : [`${id} (${target}) is not connected: ${problem ?? 'it did not answer in time'}.`]),
    ...(isCut ? [`${id}: it has more tools; only the first ${tools} are offered.`] : []),
    ...(unaccepted === 0
      ? []
      : [
          `${id}: ${unaccepted} tools wait for you: see the settings of the side panel, or run \`spillway upstream accept ${id}\`.`,
        ]),
    ...renamed.map(
      ({ rawName, name, why }) =>
        `${id}: ${rawName} is called ${name}, since ${why ?? 'its id is written twice'}.`,
    ),
  ];
}
