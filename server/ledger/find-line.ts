import { chainPath, listChains, type Places } from './places.ts';
import { isMissing } from '../machine/errno.ts';
import { readLine } from './lines.ts';
import { readLines } from './read-lines.ts';

/** Whether any chain of the home has a line of that kind about that report. @throws what the disk refuses */
export async function hasReport(places: Places, kind: string, report: string): Promise<boolean> {
  const wanted = JSON.stringify(report);
  // What is looked for was written last.
  for (const chain of (await listChains(places)).reverse()) {
    try {
      for await (const { text } of readLines(chainPath(places, chain))) {
        if (text === null || !text.includes(wanted)) continue;
        const line = readLine(text);
        if (line?.kind === kind && line['report'] === report) return true;
      }
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown;
    }
  }
  return false;
}
