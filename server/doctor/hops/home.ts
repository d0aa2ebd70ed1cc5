import { isFull } from '../../machine/errno.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { commandLine } from '../../bridge/install/command-line.ts';
import { pathsOf } from '../../bridge/install/machine.ts';
import { storedBytes } from '../../bridge/install/uninstall.ts';
import type { DoctorContext } from '../context.ts';
import { fail, pass, type Hop } from '../hop.ts';

const GROUP_AND_OTHERS = 0o077;
/** From this share on, outputs that are kept leave little room. */
const NEARLY_FULL = 0.9;

/** Servers can write to the home, nobody else can, and outputs have room in it. */
export const homeHop: Hop<DoctorContext> = {
  id: 'home',
  title: 'Home',
  timeoutMs: 30_000,
  async run({ machine, files, home, outputMaxBytes }) {
    const { join } = pathsOf(machine);
    const mode = await files.mode(home);
    if (mode === null) return pass(`${home} is made by the first server`);
    if (machine.platform !== 'win32' && (mode & GROUP_AND_OTHERS) !== 0)
      return fail(
        `${home} is open to other users (mode ${mode.toString(8)}).`,
        `Run \`${commandLine(['chmod', '700', home])}\`.`,
      );
    const draft = join(home, `doctor-${process.pid}`);
    try {
      await files.write(draft, Buffer.from('doctor'), 0o600);
      await files.removeFile(draft);
    } catch (thrown) {
      const seen = `${home} takes no file: ${messageOf(thrown)}.`;
      if (isFull(thrown)) return fail(seen, 'Free space on that disk.', 'store_full');
      return fail(
        seen,
        `Make it writable to you: \`${commandLine(['chmod', '700', home])}\` if it is yours.`,
        'store_write_failed',
      );
    }
    const { bytes } = await storedBytes({ machine, files }, join(home, 'output'));
    const share = `outputs take ${bytes.toLocaleString('en')} of ${outputMaxBytes.toLocaleString('en')} bytes`;
    if (bytes >= outputMaxBytes)
      return fail(
        `The store is full: ${share}.`,
        'Delete outputs in the side panel, or raise --output-max-bytes.',
        'store_full',
      );
    const warnings =
      bytes < NEARLY_FULL * outputMaxBytes
        ? []
        : ['The store is nearly full: delete outputs in the side panel, or raise --output-max-bytes.'];
    return pass(`${home}; ${share}`, warnings);
  },
};
