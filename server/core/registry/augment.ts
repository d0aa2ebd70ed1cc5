import { outputFields, type OutputMode } from '../../../shared/output/mode.ts';
import { freezeManifest, type ToolManifest } from '../../../shared/tools/manifest.ts';

/**
 * Adds the two output fields, which name the server's default, to each tool that spills; the only
 * place where that happens.
 */
export function withOutputFields(byDefault: OutputMode): (manifest: ToolManifest) => ToolManifest {
  const fields = outputFields(byDefault);
  return (manifest) =>
    manifest.spills ? freezeManifest({ ...manifest, input: manifest.input.extend(fields) }) : manifest;
}
