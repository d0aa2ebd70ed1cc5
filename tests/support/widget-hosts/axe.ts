import axe from 'axe-core';
import type { Frame } from 'playwright';

export async function axeIn(frame: Frame): Promise<readonly string[]> {
  await frame.evaluate(axe.source);
  return frame.evaluate(async () => {
    const { violations } = await (
      window as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      }
    ).axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
}
