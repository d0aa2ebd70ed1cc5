import type { UpstreamReport } from '../../upstream/index.ts';
import { pass, type Hop } from '../hop.ts';

/** What was seen of the upstreams, and of the file that names them. */
export interface UpstreamCheck {
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
