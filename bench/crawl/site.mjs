/**
 * Serves a generated site to the crawlers, in a process of its own.
 *
 *     node --import tsx bench/crawl/site.mjs PAGES
 *
 * Prints its address, and leaves when its stdin ends.
 */
import { serveCrawlGraph } from '../../fixtures/crawl-graph-server.ts';
import { wideGraph } from '../../fixtures/crawl-graph.ts';

const FAN_OUT = 10;
const WORDS = 400;

const site = await serveCrawlGraph(wideGraph(Number(process.argv[2]), FAN_OUT, WORDS));
console.log(site.url);
process.stdin.resume().once('end', () => void site.close());
