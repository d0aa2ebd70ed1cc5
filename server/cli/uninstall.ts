import { nodeFiles } from '../bridge/install/files.ts';
import { currentMachine } from '../bridge/install/machine.ts';
import { runCommand } from '../bridge/install/registry.ts';
import { uninstall, type UninstallReport } from '../bridge/install/uninstall.ts';
import { styleOf, type CommandIo } from './command-io.ts';

/** Flags of `spillway uninstall`. */
export interface UninstallCommandOptions {
  readonly json?: boolean | undefined;
  /** Also removes outputs, runs and journal. */
  readonly purge?: boolean | undefined;
  /** Spillway's home. */
  readonly home: string;
}

/**
 * `spillway uninstall`: removes exactly what install wrote and names what it left. Resolves to the
 * exit code, always 0: that another product's manifest stays is not a failure.
 */
export async function runUninstall(options: UninstallCommandOptions, io: CommandIo): Promise<number> {
  const machine = currentMachine();
  const report = await uninstall({
    machine,
    files: nodeFiles,
    run: runCommand,
    home: options.home,
    purge: options.purge === true,
  });
  io.write(
    options.json === true
      ? `${JSON.stringify(report, null, 2)}\n`
      : formatUninstall(report, options.purge === true, io),
  );
  return 0;
}

function formatUninstall(report: UninstallReport, isPurge: boolean, io: CommandIo): string {
  const style = styleOf(io);
  const kept = isPurge ? [] : report.data;
  if (report.removed.length === 0 && report.left.length === 0 && kept.length === 0)
    return `  Spillway is not installed for this user in ${report.home}.\n`;
  // If a folder no longer exists, its files do not either.
  const outermost = report.removed.filter(
    (path) =>
      !report.removed.some((other) => path.startsWith(other) && /^[/\\]/.test(path.slice(other.length))),
  );
  const removed = outermost.map((path) => `  ${style.good('✓')} removed  ${path}`);
  const left = report.left.map(({ path, reason }) => `  ${style.caution('!')} left     ${path}: ${reason}`);
  const data = kept.map(
    ({ path, files, bytes }) =>
      `  ${style.faint('=')} kept     ${path}: ${files} ${files === 1 ? 'file' : 'files'}, ${bytes.toLocaleString('en')} bytes`,
  );
  const purge =
    kept.length === 0 ? [] : ['', '  `spillway uninstall --purge` removes what servers have stored, too.'];
  const last =
    report.removed.length === 0
      ? []
      : ['', '  Remove the extension itself in chrome://extensions of each browser profile.'];
  return [...removed, ...left, ...data, ...purge, ...last, ''].join('\n');
}
