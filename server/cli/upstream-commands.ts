import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';

interface UpstreamFlags {
  readonly home?: string;
}

interface AcceptFlags extends UpstreamFlags {
  readonly yes: boolean;
}

/** Options that commands share. */
interface SharedOptions {
  readonly home: [string, string, (dir: string) => string];
  readonly homeOf: (flags: UpstreamFlags & { readonly json: boolean }) => string;
}

/** Adds `upstream list` and `upstream accept`. */
export function addUpstreamCommands(program: Command, { home, homeOf }: SharedOptions): void {
  const upstream = program.command('upstream').description('other servers whose tools are offered');
  const places = (flags: UpstreamFlags) => {
    const { config, upstream: added } = program.opts<{ config?: string; upstream?: readonly string[] }>();
    return { home: homeOf({ ...flags, json: false }), config, upstream: added };
  };
  upstream
    .command('list')
    .description('connect to each, and print how it is')
    .option(...home)
    .action(async (flags: UpstreamFlags) => {
      const { runUpstreamList, processIo } = await load();
      process.exitCode = await runUpstreamList(places(flags), processIo());
    });
  upstream
    .command('accept')
    .description('look at an upstream and its tools, and let agents use them')
    .argument('<id>', 'of the upstream')
    .option('--yes', 'do not ask', false)
    .option(...home)
    .action(async (id: string, flags: AcceptFlags) => {
      const { runUpstreamAccept, processIo } = await load();
      const { yes } = flags;
      process.exitCode = await runUpstreamAccept(
        { ...places(flags), id, yes, ask: askOnTerminal },
        processIo(),
      );
    });
}

/** No is what anything but yes means, also where nobody can answer. */
async function askOnTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

const load = async () => ({ ...(await import('./upstream.ts')), ...(await import('./command-io.ts')) });
