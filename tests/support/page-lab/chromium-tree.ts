import type { CDPSession } from 'playwright';

export interface TreeEntry {
  /** In Chromium's own terms; empty where the tree leaves the element out. */
  readonly role: string;
  readonly name: string;
  readonly description: string;
  /** Computed properties by name, such as `checked` or `expanded`. */
  readonly properties: Readonly<Record<string, unknown>>;
}

interface DomNode {
  readonly backendNodeId: number;
  readonly attributes?: readonly string[];
  readonly children?: readonly DomNode[];
  readonly shadowRoots?: readonly DomNode[];
}

function markOf({ attributes = [] }: DomNode): string | null {
  for (let at = 0; at + 1 < attributes.length; at += 2)
    if (attributes[at] === 't') return attributes[at + 1] ?? null;
  return null;
}

function* marked(node: DomNode): Generator<readonly [string, number]> {
  const mark = markOf(node);
  if (mark !== null) yield [mark, node.backendNodeId];
  for (const child of [...(node.shadowRoots ?? []), ...(node.children ?? [])]) yield* marked(child);
}

/** Reads the tree of the page that is shown, by the `t` attributes of its elements. */
export async function readChromiumTree(cdp: CDPSession): Promise<ReadonlyMap<string, TreeEntry>> {
  const { root } = await cdp.send('DOM.getDocument', { depth: -1, pierce: true });
  const { nodes } = await cdp.send('Accessibility.getFullAXTree');
  const byNode = new Map(nodes.map((node) => [node.backendDOMNodeId, node]));
  const entries = [...marked(root)].map(([mark, id]): [string, TreeEntry] => {
    const node = byNode.get(id);
    if (node === undefined || node.ignored)
      return [mark, { role: '', name: '', description: '', properties: {} }];
    const properties = (node.properties ?? []).map(({ name, value }) => [name, value.value] as const);
    return [
      mark,
      {
        role: String(node.role?.value ?? ''),
        name: String(node.name?.value ?? ''),
        description: String(node.description?.value ?? ''),
        properties: Object.fromEntries(properties),
      },
    ];
  });
  return new Map(entries);
}
