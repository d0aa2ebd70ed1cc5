import { outputFields } from '../../../shared/output/mode.ts';
import { freezeManifest, type ToolManifest } from '../../../shared/tools/manifest.ts';

/** Adds the two output fields to each tool that spills; the only place where that happens. */
export function withOutputFields(manifest: ToolManifest): ToolManifest {
  if (!manifest.spills) return manifest;
  return freezeManifest({ ...manifest, input: manifest.input.extend(outputFields) });
}
