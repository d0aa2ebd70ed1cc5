import { existsSync, statSync } from 'node:fs';
import { textsOf } from '../../shared/base/cut.ts';
import { hop, pass, type Hop } from '../core/hop.ts';
import { withUpstreams } from './command.ts';
import { configPath, type ConfigPlaces, type UpstreamReport } from './index.ts';

interface UpstreamCheck {
  readonly reports: readonly UpstreamReport[];
  /** The file, if other users can read it. */
  readonly looseFile: string | null;
}

/** Upstreams, if the server has any. The hop itself reports an invalid file of them. */
export function createHop(options: ConfigPlaces): Hop<unknown> | null {
  const file = configPath(options);
  if (options.upstream === undefined && !existsSync(file)) return null;
  return upstreamsHop(async () => ({
    reports: await withUpstreams(options, async (upstreams) => upstreams.report()),
    looseFile: looseFileOf(file),
  }));
}

/** Checks that each upstream connects. A failing one is named and fails no hop: only its tools are missing. */
export const upstreamsHop = (check: () => Promise<UpstreamCheck>) =>
  hop('upstreams', 'Upstreams', 45_000, async () => {
    const { reports, looseFile } = await check();
    const evidence = reports.map(({ id, tools, state }) =>
      state === 'ready' ? `${id}: ${tools} tools` : `${id}: away`,
    );
    const warnings = reports.flatMap(warningsOf);
    if (looseFile !== null)
      warnings.unshift(`Other users can read ${looseFile}, which may hold secrets: run \`chmod 600\` on it.`);
    return pass(evidence, warnings);
  });

function warningsOf(report: UpstreamReport): string[] {
  const { id, state, problem, target, tools, isCut = false, unaccepted, renamed } = report;
  return textsOf(
    state !== 'ready' && `${id} (${target}) is not connected: ${problem ?? 'it did not answer in time'}.`,
    isCut && `${id}: it has more tools; only the first ${tools} are offered.`,
    unaccepted > 0 &&
      `${id}: ${tools === 0 ? 'resources and prompts' : `${unaccepted} tools`} wait for you: see the settings of the side panel, or run \`spillway upstream accept ${id}\`.`,
    ...renamed.map(
      ({ rawName, name, why }) =>
        `${id}: ${rawName} is called ${name}, since ${why ?? 'its id is written twice'}.`,
    ),
  );
}

const GROUP_AND_OTHERS = 0o077;

/** The path of a file that other users can read. */
function looseFileOf(path: string): string | null {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform !== 'win32' && (mode & GROUP_AND_OTHERS) !== 0 ? path : null;
}
