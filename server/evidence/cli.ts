import type { VerifyBundleOptions } from './command.ts';
import { type AddCommand, flag, jsonFlag } from '../core/command.ts';

export function addCommands(add: AddCommand): void {
  add<Omit<VerifyBundleOptions, 'file'>>({
    name: 'verify-bundle',
    about: 'check every hash, size and byte of an evidence bundle',
    arguments: [['<file>', 'a WACZ that oc_evidence_bundle created']],
    options: [
      flag('--sha256 <hash>', 'also check that the whole file has this SHA-256'),
      flag('--public-key <file>', 'also check that it is signed with this key (PEM)'),
      flag(
        '--timestamp-ca <file>',
        'also check that its time stamp leads to a certificate in this file (PEM)',
      ),
      jsonFlag(),
    ],
    run: async (flags, io, [file = '']) =>
      (await import('./command.ts')).runVerifyBundle({ ...flags, file }, io),
  });
}
