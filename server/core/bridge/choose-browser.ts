import { SpillwayError } from '../../../shared/base/errors.ts';
import { plain } from '../command-io.ts';

interface NamedBrowser {
  readonly name: string;
  /** The name that its person gave it. */
  readonly label: string | null;
}

/**
 * The browser with the wanted name or label, or the only one that runs.
 * @throws SpillwayError `browser_not_connected`, `browser_ambiguous`
 */
export function chooseBrowser<Browser extends NamedBrowser>(
  running: readonly Browser[],
  wanted: string | undefined,
): Browser {
  const fitting = running.filter(
    ({ label, name }) => wanted === undefined || wanted === label || wanted === name,
  );
  const [browser, another] = fitting;
  if (browser === undefined)
    throw new SpillwayError(
      'browser_not_connected',
      `No browser with Spillway runs${wanted === undefined ? '' : ` under the name ${plain(wanted)}`}.`,
    );
  if (another !== undefined) {
    const names = fitting.map(({ label, name }) => plain(label ?? name)).join(', ');
    throw new SpillwayError('browser_ambiguous', `Several browsers run: ${names}.`, {
      hint: 'Pass --browser with the name of one. You name them in the side panel, under Settings.',
    });
  }
  return browser;
}
