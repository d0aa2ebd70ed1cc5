/**
 * Serves a generated site to the crawlers, in a process of its own.
 *
 *     node --import tsx bench/crawl/site.mjs PAGES [WORDS] [LATENCY_MS]
 *
 * Prints its address. When its stdin ends, it prints how many paths were asked for, and how often the most frequent one
 * was.
 */
import { serveCrawlGraph } from '../../fixtures/crawl-graph-server.ts';
import { wideGraph } from '../../fixtures/crawl-graph.ts';

const FAN_OUT = 10;

const [, , pages, words = 400, latencyMs = 0] = process.argv;
const graph = wideGraph(Number(pages), FAN_OUT, Number(words));
const site = await serveCrawlGraph(graph, { latencyMs: Number(latencyMs) });
console.log(site.url);
process.stdin.resume().once('end', () => {
  console.log(JSON.stringify({ paths: site.asked.size, most: Math.max(...site.asked.values()) }));
  void site.close();
});
