import { LIMITS } from '../../shared/base/limits.ts';
import { toSpillwayError } from '../../shared/base/errors.ts';
import { findBuildDirectory } from '../core/machine/command-line.ts';
import { nodeFiles, currentMachine, runCommand } from '../core/bridge/machine.ts';
import { bridgeDirectories } from '../core/bridge/directory.ts';
import { createBridge } from '../core/bridge/index.ts';
import type { LaunchOptions } from '../core/bridge/launch.ts';
import { systemClock, type Bridge } from '../core/services.ts';
import type { HopReport } from '../core/hop.ts';
import { Findings, type DoctorContext, type DoctorReport } from './hop.ts';
import { CAPABILITY_HOPS, type HopOptions } from '../core/doctor-hops.generated.ts';
import { diagnose, hopsFor } from './doctor.ts';
import { cleanJsonText, type Clean } from '../libraries/redaction/clean.ts';
import { createRedactor } from '../libraries/redaction/index.ts';
import { escapeControls, quiet, styleOf, type CommandIo, type Style } from '../core/command-io.ts';
import { parseBrowsers } from '../install/command.ts';

/** Flags of `spillway doctor`. */
export interface DoctorCommandOptions extends HopOptions {
  /**
   * One browser, or several separated by commas, each of which has to work; default: any that is found. With
   * `launch`, the path of the Chromium to start.
   */
  readonly browser?: string | undefined;
  readonly json?: boolean | undefined;
  /** Tests the chain with a private browser in place of the installed ones. */
  readonly launch?: boolean | undefined;
  /** With `launch`: without a window. */
  readonly headless?: boolean | undefined;
  /** Room for outputs, by the servers' setting. */
  readonly outputMaxBytes?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
}

/**
 * `spillway doctor`: tests each hop live and names the first failure with its evidence and fix. Resolves to
 * the exit code: 0 if the whole chain works. A private browser has exited by then.
 */
export async function runDoctor(options: DoctorCommandOptions, io: CommandIo): Promise<number> {
  const launch = options.launch === true ? privateLaunch(options) : null;
  const findings = new Findings();
  const opened: { bridge?: Bridge } = {};
  const context: DoctorContext = {
    machine: currentMachine(),
    files: nodeFiles,
    run: runCommand,
    home: options.home,
    distDirectory: findBuildDirectory(),
    node: { version: process.version, path: process.execPath },
    browsers: launch === null ? browsersNamed(options.browser) : 'found',
    outputMaxBytes: options.outputMaxBytes ?? LIMITS.outputMaxBytes,
    connectTimeoutMs: options.connectTimeoutMs ?? LIMITS.helloTimeoutMs,
    bridgeDirectories: bridgeDirectories(),
    bridge: () =>
      (opened.bridge ??= createBridge({
        logger: quiet,
        clock: systemClock,
        ...(findings.launched === null ? {} : { directory: findings.launched.directory }),
      })),
    findings,
  };
  const style = styleOf(io);
  const hops = hopsFor(
    launch,
    CAPABILITY_HOPS.flatMap((create) => create(options) ?? []),
  );
  const titleWidth = Math.max(...hops.map((hop) => hop.title.length));
  const onHop = (hop: HopReport): void => io.write(formatHop(redact(hop), { style, titleWidth }));
  const onWait = ({ title }: { readonly title: string }): void =>
    io.write(style.faint(`  … ${title}: no answer yet, still waiting\n`));
  try {
    const isJson = options.json === true;
    const report = redact(await diagnose(hops, context, ...(isJson ? [] : [onHop, onWait])));
    io.write(isJson ? `${cleanJsonText(report, 2)}\n` : formatVerdict(report, style));
    return report.ok ? 0 : 1;
  } finally {
    await opened.bridge?.close().catch((thrown: unknown) => toSpillwayError(thrown));
    await findings.launched?.close();
  }
}

function browsersNamed(browser: string | undefined): DoctorContext['browsers'] {
  const wanted = browser === undefined ? 'all' : parseBrowsers(browser);
  return wanted === 'all' ? 'found' : wanted;
}

const privateLaunch = ({ headless, browser, connectTimeoutMs }: DoctorCommandOptions): LaunchOptions => ({
  headless: headless === true,
  browserPath: browser,
  connectTimeoutMs,
  logger: quiet,
});

const redactor = createRedactor({ enabled: true });

const redact = <Report extends HopReport | DoctorReport>(report: Report): Clean<Report> =>
  redactor.value(report);

/** One hop: mark, title and evidence, a sentence per line. */
export function formatHop(
  hop: Clean<HopReport>,
  { style, titleWidth }: { readonly style: Style; readonly titleWidth: number },
): string {
  const title = hop.title.padEnd(titleWidth);
  const indent = ' '.repeat(titleWidth + 6);
  if (hop.status === 'not_reached') return `  ${style.faint(`· ${title}  not reached`)}\n`;
  const mark = hop.status === 'ok' ? style.good('✓') : style.bad('✗');
  const lines = hop.evidence.length === 0 ? [''] : hop.evidence.map(escapeControls);
  const warnings = hop.warnings.map((warning) => `${indent}${style.caution(`! ${escapeControls(warning)}`)}`);
  return [`  ${mark} ${title}  ${lines.join(`\n${indent}`)}`, ...warnings, ''].join('\n');
}

function formatVerdict(report: Clean<DoctorReport>, style: Style): string {
  const failed = report.hops.find((hop) => hop.status === 'failed');
  const warnings = report.hops.flatMap((hop) => hop.warnings).length;
  if (failed === undefined && warnings > 0)
    return `\n${style.caution(`Every hop works; see the ${warnings === 1 ? 'warning' : `${warnings} warnings`} above.`)}\n`;
  if (failed === undefined) return `\n${style.good('Every hop works.')}\n`;
  return `\n${style.bad(`${failed.title} is the first hop that fails.`)}\n${style.strong('Fix:')} ${failed.fix ?? ''}\n`;
}
