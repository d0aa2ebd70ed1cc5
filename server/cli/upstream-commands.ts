import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';

interface UpstreamFlags {
  readonly home?: string;
}

interface LoginFlags extends UpstreamFlags {
  readonly open: boolean;
}

interface AcceptFlags extends UpstreamFlags {
  readonly yes: boolean;
}

/** Options that commands share. */
interface SharedOptions {
  readonly home: [string, string, (dir: string) => string];
  readonly homeOf: (flags: UpstreamFlags & { readonly json: boolean }) => string;
}

/** Adds the commands of `upstream`. */
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
  upstream
    .command('login')
    .description('sign in to an upstream that asks for it (OAuth)')
    .argument('<id>', 'of the upstream')
    .option('--no-open', 'print the address, and open no browser')
    .option(...home)
    .action(async (id: string, flags: LoginFlags) => {
      const { runUpstreamLogin } = await import('./upstream.ts');
      const { processIo } = await import('./command-io.ts');
      const open = async (address: string): Promise<void> => {
        if (flags.open) await (await import('open')).default(address);
      };
      process.exitCode = await runUpstreamLogin(
        { ...places(flags), id, open, onLine: onTerminalLine },
        processIo(),
      );
    });
  upstream
    .command('logout')
    .description('forget the sign-in to an upstream')
    .argument('<id>', 'of the upstream')
    .option(...home)
    .action(async (id: string, flags: UpstreamFlags) => {
      const { runUpstreamLogout } = await import('./upstream.ts');
      const { processIo } = await import('./command-io.ts');
      process.exitCode = await runUpstreamLogout({ ...places(flags), id }, processIo());
    });
}

/** Lines that a person types. Returns an unsubscribe function. */
function onTerminalLine(listener: (line: string) => void): () => void {
  if (!process.stdin.isTTY) return () => undefined;
  const lines = createInterface({ input: process.stdin });
  lines.on('line', listener);
  return () => lines.close();
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
