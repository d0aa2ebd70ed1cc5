import { describe, expect, it } from 'vitest';
import { apiNameOf, displayControlOf, inspectorOf, renderOf } from '../../../extension/panel/tools/faces.tsx';
import { MANIFESTS } from '../../../shared/tools/index.ts';
import type { ToolManifest } from '../../../shared/tools/manifest.ts';

/* The visible side of tools: a missing part is a line without words, or a blank place. */

const TOOLS: readonly ToolManifest[] = MANIFESTS;

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const { identifier, api, faces } = tool;

  it('has a line, its words in each language, and a face for what it answers or none on purpose', () => {
    expect(inspectorOf(identifier, api)).toBeTypeOf('function');
    expect(faces.panel).toContain('Inspector');
    for (const language of ['en', 'zh-CN'] as const)
      expect(apiNameOf(language, identifier, api)).toMatch(/\S/);
    expect(renderOf(identifier, api) ?? displayControlOf(identifier, api)).not.toBeNull();
  });
});
