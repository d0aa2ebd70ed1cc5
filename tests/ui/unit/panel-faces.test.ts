import { describe, expect, it } from 'vitest';
import { inspectorOf, renderOf, toolTitle } from '../../../extension/ui/faces/faces.tsx';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import type { ToolManifest } from '../../../shared/core/tools/manifest.ts';

/* The visible side of tools: a missing part is a line without words, or a blank place. */

const TOOLS: readonly ToolManifest[] = MANIFESTS;

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (name, { faces }) => {
  it('has a line, its words, and a face for what it answers or none on purpose', () => {
    expect(inspectorOf(name)).toBeTypeOf('function');
    expect(faces.panel).toContain('Inspector');
    expect(toolTitle('en', name)).not.toBe(name);
    expect(renderOf(name)).not.toBeNull();
  });
});
