import type { ConfigPlaces } from './index.ts';
import { type AddCommand, flag, homeFlag } from '../core/command.ts';

export function addCommands(add: AddCommand): void {
  const load = () => import('./command.ts');
  const operand = [['<id>', 'of the upstream']] as const;
  add<ConfigPlaces>({
    name: 'upstream list',
    about: 'connect to each, and print how it is',
    options: [homeFlag()],
    run: async (flags, io) => (await load()).runUpstreamList(flags, io),
  });
  add<ConfigPlaces & { readonly yes: boolean }>({
    name: 'upstream accept',
    about: 'look at an upstream and its tools, and let agents use them',
    arguments: operand,
    options: [flag('--yes', 'do not ask', false), homeFlag()],
    run: async (flags, io, [id = '']) => {
      const { runUpstreamAccept, askOnTerminal: ask } = await load();
      return runUpstreamAccept({ ...flags, id, ask }, io);
    },
  });
  add<ConfigPlaces & { readonly open: boolean }>({
    name: 'upstream login',
    about: 'sign in to an upstream that asks for it (OAuth)',
    arguments: operand,
    options: [flag('--no-open', 'print the address, and open no browser', true), homeFlag()],
    run: async (flags, io, [id = '']) => {
      const { runUpstreamLogin, onTerminalLine: onLine } = await load();
      const open = async (address: string): Promise<void> => {
        if (flags.open) await (await import('open')).default(address);
      };
      return runUpstreamLogin({ ...flags, id, open, onLine }, io);
    },
  });
  add<ConfigPlaces>({
    name: 'upstream logout',
    about: 'forget the sign-in to an upstream',
    arguments: operand,
    options: [homeFlag()],
    run: async (flags, io, [id = '']) => (await load()).runUpstreamLogout({ ...flags, id }, io),
  });
}
