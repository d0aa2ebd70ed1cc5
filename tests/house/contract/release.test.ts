import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { zipBundle } from '../../../scripts/lib/extension-zip.mjs';
import { CLIENT_ARGUMENTS } from '../../../server/core/machine/command-line.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const Workflow = z.object({
  permissions: z.unknown(),
  jobs: z.record(
    z.string(),
    z.object({
      strategy: z.object({ matrix: z.object({ node: z.array(z.number()).optional() }) }).optional(),
      permissions: z.unknown().optional(),
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});
const workflow = (name: string) => Workflow.parse(parse(read(`.github/workflows/${name}.yml`)));

it('CI starts with the oldest Node that the package supports', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  const oldest = /^>=(\d+)\./.exec(engines.node)?.[1];
  const { everything } = workflow('ci').jobs;
  expect(String(everything?.strategy?.matrix.node?.[0])).toBe(oldest);
  expect(read('.nvmrc').trim()).toBe(oldest);
});

it.each(['ci', 'deep', 'release'])('the workflow %s pins each action to a commit', (name) => {
  const { jobs, permissions } = workflow(name);
  expect(permissions).toEqual({ contents: 'read' });
  const actions = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(actions.filter((action) => !/^actions\/[a-z-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
});

it('a tag publishes with provenance what the tests have passed', () => {
  const { publish } = workflow('release').jobs;
  expect(publish?.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
  const commands = publish?.steps.flatMap(({ run }) => run ?? []) ?? [];
  const at = (command: RegExp): number => commands.findIndex((each) => command.test(each));
  expect(at(/^\.ci\/run$/)).toBeGreaterThan(at(/GITHUB_REF_NAME/));
  expect(at(/^npm run package$/)).toBeGreaterThan(at(/^\.ci\/run$/));
  expect(at(/^npm publish release\/spillway-\*\.tgz --provenance/)).toBeGreaterThan(at(/^npm run package$/));
});

// `npm run check` keeps the files of `npm run generate` fresh. The shapes here follow the published schemas of
// registries and clients.

const { name, version, mcpName } = z
  .object({ name: z.string(), version: z.string(), mcpName: z.string() })
  .parse(JSON.parse(read('package.json')));
const Npx = z.strictObject({ command: z.literal('npx'), args: z.array(z.string()) });
const Address = z.url({ protocol: /^https$/ });

it('server.json is what the registry of MCP takes', () => {
  const Argument = z.strictObject({ type: z.literal('named'), name: z.string(), value: z.string() });
  const ServerDetail = z.strictObject({
    $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
    name: z
      .string()
      .min(3)
      .max(200)
      .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    title: z.string().min(1).max(100),
    description: z.string().min(1).max(100),
    version: z.string().max(255),
    websiteUrl: Address,
    repository: z.strictObject({ url: Address, source: z.literal('github') }),
    packages: z.array(
      z.strictObject({
        registryType: z.literal('npm'),
        identifier: z.string(),
        version: z.string().regex(/^\d+\.\d+\.\d+/),
        runtimeHint: z.literal('npx'),
        transport: z.strictObject({ type: z.literal('stdio') }),
        packageArguments: z.array(Argument),
      }),
    ),
  });
  const server = ServerDetail.parse(JSON.parse(read('server.json')));
  expect(server).toMatchObject({ name: mcpName, version, packages: [{ identifier: name, version }] });
});

it('the bundle of MCP is what hosts install', () => {
  // github.com/modelcontextprotocol/mcpb, schemas/mcpb-manifest-v0.4.schema.json.
  const Manifest = z.strictObject({
    manifest_version: z.literal('0.4'),
    name: z.string(),
    display_name: z.string(),
    version: z.string(),
    description: z.string(),
    author: z.strictObject({ name: z.string() }),
    repository: z.strictObject({ type: z.string(), url: Address }),
    homepage: Address,
    license: z.string(),
    keywords: z.array(z.string()),
    icon: z.string(),
    server: z.strictObject({
      type: z.literal('node'),
      entry_point: z.string(),
      mcp_config: z.strictObject({ command: z.string(), args: z.array(z.string()) }),
    }),
    tools_generated: z.boolean(),
    compatibility: z.strictObject({
      platforms: z.array(z.enum(['darwin', 'win32', 'linux'])),
      runtimes: z.strictObject({ node: z.string() }),
    }),
  });
  const files = unzipSync(zipBundle(ROOT));
  const manifest = Manifest.parse(JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array())));
  expect(manifest).toMatchObject({ name, version });
  expect(Object.keys(files)).toEqual(expect.arrayContaining([manifest.server.entry_point, manifest.icon]));
  expect(strFromU8(files[manifest.server.entry_point] ?? new Uint8Array())).toContain(`${name}@${version}`);
});

it.each(['.claude-plugin/plugin.json', '.cursor-plugin/plugin.json', 'gemini-extension.json'])(
  '%s starts the package of its version',
  (path) => {
    const Plugin = z.looseObject({
      name: z.string(),
      version: z.string(),
      mcpServers: z.record(z.string(), Npx),
    });
    const { mcpServers, ...plugin } = Plugin.parse(JSON.parse(read(path)));
    expect(plugin).toMatchObject({ name, version });
    expect(mcpServers[name]?.args).toEqual(['-y', `${name}@${version}`, ...CLIENT_ARGUMENTS]);
  },
);

it('the image of Docker starts the package of its version with a browser of its own', () => {
  const dockerfile = read('Dockerfile');
  expect(dockerfile).toContain(`ARG PACKAGE=${name}@${version}\n`);
  const [, entry = ''] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? [];
  const words = z.array(z.string()).parse(JSON.parse(entry));
  expect(words).toEqual(expect.arrayContaining([name, '--launch', '--headless', ...CLIENT_ARGUMENTS]));
});
