import type { RunScope } from '../../core/runs.ts';
import { keyOf, parseAddress, type Address } from './address.ts';
import { CRAWL_BOUNDS } from './bounds.ts';
import type { Ledger } from './ledger.ts';
import { SITEMAP, type Found, type Secrets } from './secrets.ts';
import { readSitemap } from './sitemap.ts';
import type { PageSource } from './source.ts';
import type { CrawlArgs } from './args.ts';

interface Seeding {
  readonly args: CrawlArgs;
  readonly scope: RunScope;
  readonly source: PageSource;
  readonly ledger: Ledger;
  readonly secrets: Secrets;
  readonly signal: AbortSignal;
}

/** Beyond `max_pages`, how many addresses of a sitemap are queued: some may be forbidden. */
const SPARE = 1_000;

/** Puts the starts into the frontier, once; what belongs to the scope is found again at each resume. */
export async function seedFrontier(seeding: Seeding): Promise<void> {
  const { args, scope, ledger, secrets } = seeding;
  const starts = [...(args.urls ?? []), ...(args.url === undefined ? [] : [args.url])].flatMap(toAddress);
  for (const start of [...starts, ...(args.sitemap === undefined ? [] : toAddress(args.sitemap))]) {
    ledger.addStart(start);
    secrets.remember(keyOf(start.identity), start.href);
  }
  for (const { key } of scope.state.range({ start: ['o'], end: ['p'] }))
    for (const origin of toAddress(String(key[1]))) ledger.addStart(origin);
  if (ledger.tally.seeded) return;
  if (args.sitemap === undefined)
    await ledger.seed(
      starts.map((start) => toFound(secrets, start)),
      0,
      true,
    );
  else await seedFromSitemap(seeding, args.sitemap);
}

async function seedFromSitemap(
  { args, source, ledger, secrets, signal }: Seeding,
  sitemap: string,
): Promise<void> {
  const most = args.max_pages + SPARE;
  let index = 0;
  let batch: Found[] = [];
  const onNote = (note: string): void => ledger.note(note);
  for await (const page of readSitemap(source, sitemap, {
    signal,
    onNote,
    admits: (href) => ledger.admitsSitemap(href),
  })) {
    const [address] = toAddress(page.href);
    if (address === undefined || !ledger.admits(address)) continue;
    const { lastmod } = page;
    batch.push({
      ...secrets.find(keyOf(address.identity), address.href, SITEMAP),
      ...(lastmod === undefined ? {} : { lastmod: secrets.shown(lastmod) }),
    });
    if (index + batch.length >= most) {
      ledger.note(`The sitemap lists more than the ${most} URLs that were queued.`);
      break;
    }
    if (batch.length < CRAWL_BOUNDS.seedBatch) continue;
    await ledger.seed(batch, index, false);
    index += batch.length;
    batch = [];
  }
  if (index + batch.length === 0) ledger.note('No URL in the sitemap is within the scope and the globs.');
  await ledger.seed(batch, index, true);
}

/** Reads the sitemap of a crawl again, for addresses with secrets, which are not kept on disk. */
export async function restoreStartUrls({
  args,
  source,
  secrets,
  signal,
  admits,
}: Pick<Seeding, 'args' | 'source' | 'secrets' | 'signal'> & {
  readonly admits: (href: string) => boolean;
}): Promise<void> {
  if (args.sitemap === undefined) return;
  for await (const page of readSitemap(source, args.sitemap, { signal, onNote: () => undefined, admits }))
    for (const address of toAddress(page.href)) secrets.remember(keyOf(address.identity), address.href);
}

/** A start of the arguments, which know it whenever it is needed: nothing of it has to be found again. */
function toFound(secrets: Secrets, address: Address): Found {
  const key = keyOf(address.identity);
  return { key, href: secrets.shown(address.href), secret: null };
}

function toAddress(href: string): readonly Address[] {
  const address = parseAddress(href);
  return address === null ? [] : [address];
}
