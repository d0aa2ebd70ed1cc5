import { describe, expect, it } from 'vitest';
import { builtins, apiNameOf } from '../../../extension/panel/tools/builtins.ts';
import { displayControlOf } from '../../../extension/panel/tools/display-controls.ts';
import { inspectorOf } from '../../../extension/panel/tools/inspectors.ts';
import { interventionOf } from '../../../extension/panel/tools/interventions.ts';
import { placeholderOf } from '../../../extension/panel/tools/placeholders.ts';
import { portalOf } from '../../../extension/panel/tools/portals.ts';
import { renderOf } from '../../../extension/panel/tools/renders.ts';
import { streamingOf } from '../../../extension/panel/tools/streamings.ts';
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
      expect(builtins[language][identifier]?.title).toMatch(/\S/);
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
    for (const [surface, find] of Object.entries(surfaces)) {
      const load = find(identifier, api);
      expect(load === null, surface).toBe(!faces.panel.some((face) => face === surface));
      if (load !== null) expect(['function', 'object'], surface).toContain(typeof (await load()));
    }
    const siblings = TOOLS.filter((other) => other.identifier === identifier);
    const hasPlaceholder = siblings.some((other) => placeholderOf(identifier, other.api) !== null);
    expect(hasPlaceholder).toBe(faces.panel.includes('Placeholder'));
  });
});
