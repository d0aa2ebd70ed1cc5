import type { Graph, GraphNode } from '../../../fixtures/crawl-graph.ts';

/** What a crawl of a graph has to find, computed from the graph alone. */
export interface Expected {
  /** Depth of each address whose item has to be there, by path and query. */
  readonly depths: ReadonlyMap<string, number>;
  /** Where its redirects end. */
  readonly finals: ReadonlyMap<string, string>;
}

const TRAPS = new Set(['calendar', 'sessions', 'deeper', 'pages']);

function nodeOf(graph: Graph, path: string): GraphNode | undefined {
  const pathname = path.replace(/\?.*$/, '');
  const wild = Object.entries(graph.nodes).find(
    ([name]) => name.endsWith('*') && pathname.startsWith(name.slice(0, -1)),
  );
  return graph.nodes[pathname] ?? wild?.[1];
}

/** Whether an address belongs to a trap: how far a crawl goes into one is a matter of its bounds. */
export function isTrap(graph: Graph, path: string): boolean {
  return TRAPS.has(nodeOf(graph, path)?.kind ?? '');
}

/**
 * Breadth-first by one reader, with respect for robots.txt of the test site (`/private/` is closed)
 * and nofollow, as a member or not. Traps are entered and not followed.
 */
export function expectedCrawl(
  graph: Graph,
  { isMember = false, maxDepth = 100, runsScripts = true } = {},
): Expected {
  const depths = new Map<string, number>([['/', 0]]);
  const finals = new Map<string, string>();
  const visited = new Set(['/']);
  for (const [path, depth] of depths) {
    const final = finalOf(graph, path);
    finals.set(path, final);
    if (final !== path) visited.add(final);
    const node = nodeOf(graph, final);
    if (depth >= maxDepth || path.startsWith('/private/') || !isFollowed(node, isMember, runsScripts))
      continue;
    for (const link of 'links' in node ? node.links : []) {
      const clean = link.replace(/#.*$/, '').replace(/[?&]utm_[^&]*/, '');
      if (!clean.startsWith('/') || visited.has(clean)) continue;
      visited.add(clean);
      // A second address with the content of the first: its links are those of the first.
      depths.set(clean, depth + 1);
    }
  }
  return { depths, finals };
}

function isFollowed(node: GraphNode | undefined, isMember: boolean, runsScripts: boolean): node is GraphNode {
  if (node === undefined || TRAPS.has(node.kind) || node.kind === 'status') return false;
  if (node.kind === 'members') return isMember;
  if (node.kind === 'scripted') return runsScripts;
  return !(node.kind === 'page' && (node.robots ?? '').includes('nofollow'));
}

function finalOf(graph: Graph, path: string): string {
  const node = nodeOf(graph, path);
  return node?.kind === 'redirect' ? finalOf(graph, node.to) : path;
}
