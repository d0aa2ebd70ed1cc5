import weights from './weights.json' with { type: 'json' };

/** Evidence for something: names by their weight. */
interface Evidence {
  readonly bias: number;
  readonly evidence: Readonly<Record<string, string>>;
}

/** A function that adds up the weights of the evidence found. */
function scorer({ bias, evidence }: Evidence): (found: Iterable<string>) => number {
  const table = new Map(
    Object.entries(evidence).flatMap(([weight, names]) =>
      names.split(' ').map((name): [string, number] => [name, Number(weight)]),
    ),
  );
  return (found) => {
    let score = bias;
    for (const name of found) score += table.get(name) ?? 0;
    return score;
  };
}

const { kinds } = weights;
/** For each kind of page. */
export const KIND_SCORES = {
  article: scorer(kinds.article),
  collection: scorer(kinds.collection),
  documentation: scorer(kinds.documentation),
  forum: scorer(kinds.forum),
  listing: scorer(kinds.listing),
  product: scorer(kinds.product),
  service: scorer(kinds.service),
};
export const BLOCK_BIAS = weights.blocks.bias;
/** Weighs evidence for a block being main content, without the bias. */
export const weigh = scorer({ ...weights.blocks, bias: 0 });
