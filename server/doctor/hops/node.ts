import type { DoctorContext } from '../context.ts';
import { fail, pass, type Hop } from '../hop.ts';

/** The `engines` of package.json. */
const OLDEST = { major: 20, minor: 19 } as const;

/** The Node that runs this, which is the one `install` writes into the launcher. */
export const nodeHop: Hop<DoctorContext> = {
  id: 'node',
  title: 'Node',
  timeoutMs: 1_000,
  async run({ node }) {
    const [major = 0, minor = 0] = node.version.replace(/^v/, '').split('.').map(Number);
    const seen = `Node ${node.version} at ${node.path}`;
    const isNewEnough = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
    if (isNewEnough) return pass(seen);
    return fail(
      seen,
      `Install Node ${OLDEST.major}.${OLDEST.minor} or newer, and run \`spillway install\` with it.`,
    );
  },
};
