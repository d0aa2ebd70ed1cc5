import { readLine, readOpening, type Opening } from './lines.ts';
import { chainPath, type Places } from './places.ts';
import { readLines } from './read-lines.ts';

/** The facts of a chain's first line; null if it is not a first line. @throws what the disk refuses */
export async function openingOf(places: Places, chain: string): Promise<Opening | null> {
  for await (const { text, hasEnded } of readLines(chainPath(places, chain))) {
    const line = text === null || !hasEnded ? null : readLine(text);
    return line === null ? null : readOpening(line);
  }
  return null;
}
