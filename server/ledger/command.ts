import { withOwnCommands } from '../core/machine/command-line.ts';
import { z } from 'zod';
import { invalidArgument } from '../../shared/base/errors.ts';
import type { ChainEnd } from '../../shared/ledger/report.ts';
import { systemClock } from '../core/services.ts';
import { nameOfHome } from '../core/machine/files.ts';
import { createBridge } from '../core/bridge/index.ts';
import { type ChainReport, type LedgerProblem, readLedger, type LedgerReport } from './verify.ts';
import { bridgeDirectories } from '../core/bridge/directory.ts';
import { readRegistrations } from '../core/bridge/registrations.ts';
import { parseSince } from '../core/arguments.ts';
import {
  alignColumns,
  plain,
  printReport,
  quiet,
  styleOf,
  type CommandIo,
  type Style,
} from '../core/command-io.ts';
import { printMessage } from '../core/logger.ts';

const Facts = z.object({
  seq: z.number(),
  ts: z.string(),
  kind: z.string(),
  agent: z
    .object({
      name: z.string(),
      version: z.string().optional(),
      client_session: z.string(),
      server: z.string(),
    })
    .optional(),
  decided: z.object({ where: z.string(), by: z.string().optional() }).optional(),
  rule: z.string().optional(),
  grant: z.string().optional(),
  question: z.string().optional(),
  scope: z.string().optional(),
  risks: z.array(z.string()).default([]),
  /** From which sites text came to `site`. */
  sources: z.array(z.looseObject({ site: z.string() })).optional(),
  site: z.string().optional(),
  tab: z.string().optional(),
  tool: z.string().optional(),
  call_id: z.string().optional(),
  args_hash: z.string().optional(),
  /** The act that an outcome belongs to. */
  of: z.object({ chain: z.string(), seq: z.number() }).optional(),
  outcome: z.string().optional(),
  refusal: z.string().optional(),
  code: z.string().optional(),
});

interface ShownLine extends z.infer<typeof Facts> {
  readonly chain: string;
}

/** Which lines to show; an omitted filter matches all. @param since milliseconds since the epoch */
function matcherOf(
  { agent, site, tool, risk, outcome }: LedgerShowOptions,
  since: number | undefined,
): (line: ShownLine) => boolean {
  const name = agent?.toLowerCase();
  const host = site?.toLowerCase();
  return (line) =>
    (name === undefined || isOfAgent(line.agent?.name.toLowerCase(), name)) &&
    (host === undefined || sitesOf(line).some((one) => isOfHost(one, host))) &&
    (tool === undefined || line.tool === tool) &&
    (risk === undefined || line.risks.includes(risk)) &&
    (outcome === undefined || [line.outcome, line.refusal, line.code].includes(outcome)) &&
    (since === undefined || Date.parse(line.ts) >= since);
}

/** An empty name is that of agents without one. */
const isOfAgent = (own: string | undefined, name: string): boolean =>
  name === '' ? own === '' : own?.includes(name) === true;

/** The sites of the text that came with an act, and then its own. */
const sitesOf = ({ sources = [], site = '' }: ShownLine): readonly string[] => [
  ...sources.map((source) => source.site),
  site,
];

function isOfHost(site: string, host: string): boolean {
  const own = site
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[:/].*$/s, '')
    .toLowerCase();
  return own === host || own.endsWith(`.${host}`);
}

/** Flags of `spillway ledger show`. */
export interface LedgerShowOptions extends LedgerVerifyOptions {
  readonly agent?: string | undefined;
  readonly site?: string | undefined;
  readonly tool?: string | undefined;
  readonly risk?: string | undefined;
  /** Or the error code. */
  readonly outcome?: string | undefined;
  readonly since?: string | undefined;
  readonly count: string;
}

/** Flags of `spillway ledger verify`. */
export interface LedgerVerifyOptions {
  /** Spillway's home. */
  readonly home: string;
  readonly json?: boolean | undefined;
}

const COUNT_MAX = 100_000;

/**
 * `spillway ledger show`: the newest lines that match. Resolves to the exit code: 1 when the ledger is
 * damaged, since a line may be missing.
 *
 * @throws SpillwayError `invalid_argument`, `store_read_failed`
 */
export async function runLedgerShow(options: LedgerShowOptions, io: CommandIo): Promise<number> {
  const { since: from } = options;
  const count = countOf(options.count);
  const since = from === undefined ? undefined : parseSince(from, systemClock.now(), '--since');
  const matches = matcherOf(options, since);
  let kept: ShownLine[] = [];
  const report = await readLedger(options.home, (line, _text, chain) => {
    const { data } = Facts.safeParse(line);
    // The first line of a chain is about no call.
    if (data === undefined || data.kind === 'opened' || !matches({ chain, ...data })) return;
    kept.push({ chain, ...data });
    // Lines come chain by chain; the newest of all chains are shown.
    if (kept.length > 2 * count) kept = newest(kept, count);
  });
  const lines = newest(kept, count);
  printReport(io, options, { ok: report.ok, lines }, () => formatLines(lines, report, styleOf(io)));
  return report.ok ? 0 : 1;
}

function countOf(text: string): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= COUNT_MAX) return count;
  throw invalidArgument(`--count: takes a number from 1 to ${COUNT_MAX}.`);
}

/** By time. Lines of one chain, whose clock may have been set, keep their order if times are equal. */
const newest = (lines: readonly ShownLine[], count: number): ShownLine[] =>
  lines.toSorted((a, b) => (a.ts < b.ts ? -1 : Number(a.ts > b.ts))).slice(-count);

const HEAD = ['time (UTC)', 'agent', 'what', 'decided', 'risks', 'site', 'tool', 'outcome'];

function formatLines(lines: readonly ShownLine[], report: LedgerReport, style: Style): string {
  if (lines.length === 0 && report.ok) return 'No line of the ledger matches.\n';
  const rows = lines.map((line) =>
    [
      line.ts.slice(0, 19).replace('T', ' '),
      line.agent?.name ?? '',
      line.kind.replaceAll('_', ' '),
      describeDecision(line),
      line.risks.join(' '),
      sitesOf(line).join(' → '),
      line.tool ?? '',
      [line.outcome, line.refusal, line.code].filter((part) => part !== undefined).join(': '),
    ].map((cell) => (cell === '' ? '–' : plain(cell))),
  );
  const [head = '', ...body] = alignColumns([HEAD, ...rows]);
  const table = lines.length === 0 ? [] : [style.faint(head), ...body];
  return `${[...table, ...(report.ok ? [] : warning(report, style))].join('\n')}\n`;
}

const warning = ({ problems }: LedgerReport, style: Style): string[] => [
  style.bad(withOwnCommands(`The ledger is damaged (${problems.length}): run \`spillway ledger verify\`.`)),
];

const describeDecision = ({ decided, rule, grant }: ShownLine): string =>
  [decided?.where, decided?.by, rule, grant].filter((part) => part !== undefined).join(' ');

/**
 * `spillway ledger verify`: reports sound and damaged lines. Resolves to the exit code: 0 only if every
 * acknowledged line is there, unchanged.
 * @param recall asks the open browsers
 * @throws SpillwayError `store_read_failed`
 */
export async function runLedgerVerify(
  options: LedgerVerifyOptions,
  io: CommandIo,
  recall: (home: string) => Promise<Remembered> = recallEnds,
): Promise<number> {
  const { browsers, ends } = await recall(options.home);
  const report = await readLedger(options.home, undefined, ends);
  const style = styleOf(io);
  const names = new Intl.ListFormat('en').format(browsers.map(plain));
  const compared =
    browsers.length === 0
      ? style.caution('No browser is open: what browsers remember was not compared.')
      : `Compared with what ${names} ${browsers.length === 1 ? 'remembers' : 'remember'}.`;
  const text = () => `${format(report, style)}${compared}\n`;
  printReport(io, options, { ...report, compared_with: browsers }, text);
  return report.ok ? 0 : 1;
}

export interface Remembered {
  readonly browsers: readonly string[];
  readonly ends: readonly ChainEnd[];
}

async function recallEnds(home: string): Promise<Remembered> {
  // Does not wait for browsers that are not connected.
  if (bridgeDirectories().every((directory) => readRegistrations(directory).length === 0))
    return { browsers: [], ends: [] };
  const bridge = createBridge({ logger: quiet, clock: systemClock });
  try {
    await bridge.ready().catch(() => undefined);
    const connected = bridge.browsers().filter((browser) => browser.connected);
    const answers = await Promise.allSettled(
      connected.map(async ({ id, facts }) => ({
        name: facts.label ?? facts.name,
        ...(await bridge.request(id, 'ledger.remembered', { home: nameOfHome(home) }, { call: null })),
      })),
    );
    // An extension of the previous build remembers nothing.
    const heard = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    return { browsers: heard.map(({ name }) => name), ends: heard.flatMap(({ ends }) => ends) };
  } finally {
    await bridge.close();
  }
}

function format(report: LedgerReport, style: Style): string {
  const { chains, lines, ok, folder, problems } = report;
  if (chains.length === 0 && ok) return `There is no line in ${folder} yet.\n`;
  const loose = problems.filter(({ chain }) => !chains.some((each) => each.chain === chain));
  const problemsOf = ({ chain: name }: ChainReport) => problems.filter(({ chain }) => chain === name);
  const body = [
    ...chains.flatMap((chain) => aboutChain(chain, problemsOf(chain), style)),
    ...loose.map((problem) => `${style.bad('✗')} ${plain(problem.chain)}: ${problemText(problem)}`),
  ];
  const count = (number: number, what: string): string =>
    `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
  const counted = `${count(lines, 'sound line')} in ${count(chains.length, 'chain')}`;
  const verdict = ok
    ? style.good(`The ledger is intact: ${counted}.`)
    : style.bad(`The ledger is damaged: ${counted}, ${count(problems.length, 'problem')}.`);
  return `${body.map((line) => `  ${line}`).join('\n')}\n\n${verdict}\n`;
}

function aboutChain(chain: ChainReport, problems: readonly LedgerProblem[], style: Style): string[] {
  const mark = problems.length === 0 ? style.good('✓') : style.bad('✗');
  const until = chain.last === null ? '' : `, ${chain.first} to ${chain.last}`;
  const steps = chain.clock_steps.map(
    ({ line, by_ms }) =>
      `the clock was ${by_ms < 0 ? 'set back' : 'set forward, or the machine slept,'} by ${Math.round(Math.abs(by_ms) / 1000)} s before line ${line}`,
  );
  const torn =
    chain.torn_bytes === 0
      ? []
      : [`torn end: ${chain.torn_bytes} bytes of a line that was cut short, never acknowledged`];
  return [
    `${mark} ${plain(chain.chain)}: lines 1 to ${chain.sound} are sound${until}`,
    ...problems.map((problem) => `    ${style.bad('✗')} ${problemText(problem)}`),
    ...[...torn, ...steps].map((note) => `    ${style.caution('!')} ${note}`),
  ];
}

const problemText = ({ line, damage, message }: LedgerProblem): string =>
  `${damage.replaceAll('_', ' ')}: ${line === null ? '' : `line ${line}: `}${plain(message)}`;

/**
 * `spillway ledger export`: every sound line unchanged, chain by chain. The first line of a chain names it,
 * so that others can check the hashes. Resolves to the exit code of verify.
 * @throws SpillwayError `store_read_failed`
 */
export async function runLedgerExport(
  { home }: Pick<LedgerVerifyOptions, 'home'>,
  io: CommandIo,
): Promise<number> {
  const report = await readLedger(home, (_line, text) => io.write(`${text}\n`));
  if (!report.ok)
    printMessage(
      'spillway: The ledger is damaged; see `spillway ledger verify`. Only sound lines were written.\n',
    );
  return report.ok ? 0 : 1;
}
