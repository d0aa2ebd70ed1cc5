import { BROWSER_KINDS, browserPlaces } from '../../bridge/install/browsers.ts';
import { detectBrowser, sandboxAdvice } from '../../bridge/install/detect.ts';
import type { CheckedBrowser, DoctorContext } from '../context.ts';
import { fail, pass, type Hop } from '../hop.ts';

/** A browser that can start a native host is on the machine. */
export const browserHop: Hop<DoctorContext> = {
  id: 'browser',
  title: 'Browser',
  timeoutMs: 5_000,
  async run(context) {
    const { machine, files, findings } = context;
    const wanted = context.browsers === 'found' ? BROWSER_KINDS : context.browsers;
    const checked: CheckedBrowser[] = [];
    for (const id of wanted) {
      const places = browserPlaces(machine, id);
      checked.push({ places, detected: await detectBrowser(machine, files, places) });
    }
    findings.browsers = checked.filter((each) => each.detected.state === 'found');
    const advice = checked.flatMap(({ places, detected }) => {
      const sandboxed = detected.installations.find((each) => each.packaging !== 'native');
      return sandboxed === undefined ? [] : [sandboxAdvice(places.name, sandboxed.packaging)];
    });
    if (findings.browsers.length > 0) return pass(findings.browsers.map(describe), advice);
    const names = wanted.map((id) => browserPlaces(machine, id).name).join(', ');
    if (advice.length > 0)
      return fail(
        advice.map((each) => `${each.split('. ')[0] ?? each}.`),
        advice[0] ?? '',
      );
    return fail(
      `None of ${names} was found.`,
      'Install one of them, or name another with --browser; `spillway doctor --launch` needs a Chromium only.',
    );
  },
};

function describe({ places, detected }: CheckedBrowser): string {
  const executable = detected.installations.find((each) => each.packaging === 'native');
  return `${places.name} ${executable === undefined ? `by its data in ${places.userDataDirectory}` : `at ${executable.path}`}`;
}
