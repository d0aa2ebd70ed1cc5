import { describe, expect, it } from 'vitest';
import {
  apiNameOf,
  displayControlOf,
  inspectorOf,
  interventionOf,
  portalOf,
  renderOf,
  streamingOf,
  waitingFor,
} from '../../../extension/panel/tools/faces.tsx';
import { MANIFESTS } from '../../../shared/tools/index.ts';
import type { ToolManifest } from '../../../shared/tools/manifest.ts';

/* What people see of tools: a part that is missing is a line without words, or a place that stays empty. */

const TOOLS: readonly ToolManifest[] = MANIFESTS;
const LANGUAGES = ['en', 'zh-CN'] as const;

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const { identifier, api, faces } = tool;

  it('has a line, its words in each language, and a face for what it answers or none on purpose', () => {
    expect(inspectorOf(identifier, api)).toBeTypeOf('function');
    expect(faces.panel).toContain('Inspector');
    for (const language of LANGUAGES) {
      expect(apiNameOf(language, identifier, api)).toMatch(/\S/);
    }
    expect(renderOf(identifier, api) ?? displayControlOf(identifier, api)).not.toBeNull();
  });

  it('has every face that its manifest declares for one of its apis', async () => {
    const surfaces = {
      Render: renderOf,
      Streaming: streamingOf,
      Intervention: interventionOf,
      Portal: portalOf,
    };
    const siblings = TOOLS.filter((other) => other.identifier === identifier);
    for (const [surface, find] of Object.entries(surfaces)) {
      const loads = siblings.flatMap((other) => find(identifier, other.api) ?? []);
      expect(loads.length === 0, surface).toBe(!faces.panel.some((face) => face === surface));
      for (const load of loads) expect(await load(), surface).toBeTypeOf('function');
    }
    const hasPlaceholder = siblings.some((other) => waitingFor('en', other.name) !== null);
    expect(hasPlaceholder).toBe(faces.panel.includes('Placeholder'));
  });
});
