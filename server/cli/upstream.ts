import { SpillwayError } from '../../shared/errors.ts';
import { VERSION } from '../../shared/version.ts';
import { MANIFESTS } from '../../shared/tools/index.ts';
import { isReserved } from '../core/registry/registry.ts';
import type { OfferedTool } from '../core/upstreams.ts';
import { createRedactor } from '../redact/index.ts';
import {
  cleanersOf,
  createUpstreams,
  readUpstreams,
  trustOf,
  type ConfigPlaces,
  type UpstreamReport,
  type Upstreams,
} from '../upstream/index.ts';
import { escaped, plain, quiet, styleOf, type CommandIo, type Style } from './command-io.ts';

/** Flags of `spillway upstream accept`. */
export interface UpstreamAcceptOptions extends ConfigPlaces {
  readonly id: string;
  /** Without a question, for scripts. */
  readonly yes: boolean;
  /** Asks the person; resolves to whether they said yes. */
  readonly ask: (question: string) => Promise<boolean>;
}

const CONNECT_MS = 40_000;

/** Connects to every upstream once, for a look, and ends them again. */
export async function withUpstreams<T>(
  options: ConfigPlaces,
  work: (upstreams: Upstreams) => Promise<T>,
): Promise<T> {
  const names = new Set<string>(MANIFESTS.map(({ name }) => name));
  const upstreams = createUpstreams({
    entries: readUpstreams(options),
    trust: trustOf(options.home),
    isTaken: (name) => names.has(name) || isReserved(name),
    redactorsWith: (secrets) =>
      cleanersOf({
        all: createRedactor({ enabled: true, secrets }),
        known: createRedactor({ enabled: false, secrets }),
      }),
    logger: quiet,
    version: VERSION,
    home: options.home,
    isVisitor: true,
  });
  try {
    await upstreams.settled(AbortSignal.timeout(CONNECT_MS));
    return await work(upstreams);
  } finally {
    await upstreams.close();
  }
}

/**
 * `spillway upstream list`: each upstream, how it is, and what waits for a person. Resolves to the exit code: 1 when one
 * has failed.
 *
 * @throws SpillwayError `invalid_argument` for a file of upstreams that does not fit
 */
export async function runUpstreamList(options: ConfigPlaces, io: CommandIo): Promise<number> {
  return withUpstreams(options, async (upstreams) => {
    const report = upstreams.report();
    if (report.length === 0) io.write('There are no upstreams.\n');
    for (const each of report) io.write(`${describe(each, styleOf(io))}\n`);
    return report.some(({ state }) => state !== 'ready') ? 1 : 0;
  });
}

function describe({ id, target, state, problem, tools, unaccepted }: UpstreamReport, style: Style): string {
  const mark = state === 'ready' ? style.good('✓') : style.bad('✗');
  const facts = state === 'ready' ? `${tools} tools` : plain(problem ?? 'it did not answer in time');
  const waits =
    unaccepted === 0 ? '' : style.caution(`, ${unaccepted} not accepted: spillway upstream accept ${id}`);
  return `${mark} ${id}  ${plain(target)}  ${facts}${waits}`;
}

/**
 * `spillway upstream accept ID`: shows an upstream and its tools as they are now, and keeps that the person accepts them.
 * Resolves to the exit code: 1 when they do not.
 *
 * @throws SpillwayError `invalid_argument` for an unknown id, `upstream_error` for one that is not connected
 */
export async function runUpstreamAccept(options: UpstreamAcceptOptions, io: CommandIo): Promise<number> {
  return withUpstreams(options, async (upstreams) => {
    const { id, yes, ask } = options;
    const { revision, tools: offered } = upstreams.offer(id);
    const found = upstreams.report().find((each) => each.id === id);
    if (found?.state !== 'ready')
      throw new SpillwayError(
        'upstream_error',
        `The upstream ${id} is not connected: ${found?.problem ?? 'it did not answer in time'}.`,
      );
    const style = styleOf(io);
    io.write(`${style.strong(id)}: ${escaped(found.target)}\n\n`);
    for (const offer of offered) io.write(`${describeTool(offer, style)}\n`);
    const question = `\nMay agents see and call these ${offered.length} tools of ${id}?`;
    if (!yes && !(await ask(question))) {
      io.write('Nothing was accepted.\n');
      return 1;
    }
    await upstreams.accept(id, revision);
    io.write(`Accepted: ${offered.length} tools of ${id}.\n`);
    return 0;
  });
}

function describeTool({ tool, distrust }: OfferedTool, style: Style): string {
  const state = distrust === null ? '' : style.caution(distrust === 'changed' ? ' (changed)' : ' (new)');
  const kind = tool.isReadOnly ? 'says that it only reads' : 'may change things';
  // A person sees all of it: text for the agent alone may be at its end.
  const { rawName, title, description, inputSchema, outputSchema } = tool;
  const texts = [...(title === undefined ? [] : [`called “${title}”`]), ...description.split('\n')];
  const fields = [
    `takes ${JSON.stringify(inputSchema)}`,
    ...(outputSchema === undefined ? [] : [`answers ${JSON.stringify(outputSchema)}`]),
  ];
  const indented = (line: string): string => `      ${escaped(line)}`;
  return [
    `  ${style.strong(escaped(rawName))}${state}, ${kind}`,
    ...texts.map(indented),
    ...fields.map((line) => style.faint(indented(line))),
  ].join('\n');
}
