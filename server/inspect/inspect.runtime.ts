import { cut, textsOf } from '../../shared/base/cut.ts';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { defined, isJsonList, isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import type { manifest } from '../../shared/inspect/inspect.manifest.ts';
import type { Component, StyleRule } from '../../shared/inspect/inspect.methods.ts';
import { produceJson } from '../core/calls/produce.ts';
import { callerOf, type CallContext } from '../core/context.ts';
import type { ArgsOf, ToolRuntimes } from '../core/registry/definition.ts';
import type { Produced } from '../core/result.ts';
import { askTab, formatTabId, requireTab, type TabTarget } from '../core/targets.ts';
import { formatPlace, readSources, type Sources } from '../libraries/source-maps/read.ts';
import type { ToolServices } from '../core/index.ts';

type Args = ArgsOf<typeof manifest>;
export type InspectServices = Pick<ToolServices, 'bridge' | 'network'>;

/** `inspect`: where an element, its look or a request comes from. */
export const createRuntimes = (services: InspectServices): ToolRuntimes => ({
  inspect: async (args: Args, context) => {
    const { ref, request, styles, computed } = args;
    if ((ref === undefined) === (request === undefined))
      throw invalidArgument('ref, request: pass one of them.', 'Call find for a ref, or network for an _id.');
    if (request !== undefined && (styles || computed.length > 0))
      throw invalidArgument('styles, computed: a request has none; pass ref in place of request.');
    const target = await requireTab(services.bridge, args, context);
    return ref === undefined
      ? describeRequest(services, { target, context, id: request ?? '' })
      : describeElement(services, { target, context, params: { ref, styles, computed } });
  },
});

async function describeElement(
  { bridge }: InspectServices,
  {
    target,
    context,
    params,
  }: { target: TabTarget; context: CallContext; params: Pick<Args, 'styles' | 'computed'> & { ref: string } },
): Promise<Produced> {
  const asked = { tab_id: target.tabId, caller: callerOf(context), ...params };
  const found = await askTab({ bridge, target, context }, 'page.inspect', asked);
  const { url } = found;
  const places = [...found.components, ...found.rules].flatMap(({ place }) => place ?? []);
  const sources = await readSources({ bridge, browser: target.browser, context, pageUrl: url }, places);
  const components = found.components.map((one) => describeComponent(one, sources));
  const tab = formatTabId(target);
  const value = {
    tab,
    components,
    ...(params.styles && { rules: found.rules.map((rule) => describeRule(rule, sources)) }),
    ...(params.computed.length > 0 && { computed: found.computed }),
  };
  const notes = textsOf(
    components.length === 0 &&
      'No component: a development build of React, Vue, Svelte, Angular or Lit shows them, if one drew the element.',
    found.left_out > 0 && `${found.left_out} weaker rules were left out.`,
  );
  return { ...produceJson(value, { tab, url }, [...notes, ...sources.leftOut]), untrustedFrom: () => url };
}

const baseOf = (file: string): string => file.replace(/^.*[/\\]/, '').replace(/\?.*$/, '');

function describeComponent(one: Component, sources: Sources): JsonObject {
  const { framework, name, file, line, column, is_definition: isDefinition, place } = one;
  const source = place === null ? null : sources.find(place);
  // A compiler may name the file without the line; a map that leads to another file is not of that component.
  const isSame = source !== null && (file === null || baseOf(source.file) === baseOf(file));
  const known = [file, line, line === null ? null : column].filter((part) => part !== null).join(':');
  const mapped = source === null ? null : `${file ?? source.file}:${source.line}:${source.column}`;
  const loaded = place === null ? null : `${place.url}:${place.line}:${place.column}`;
  const at = line === null && isSame ? mapped : file === null ? (mapped ?? loaded) : known;
  return {
    framework,
    ...defined({ name: name ?? undefined, [isDefinition ? 'defined_at' : 'writes_at']: at ?? undefined }),
  };
}

function describeRule(rule: StyleRule, sources: Sources): JsonObject {
  const { selector, conditions, inherited, file, place, declares, overridden } = rule;
  const source = place === null ? null : sources.find(place);
  const shown = source ?? (place === null ? null : { ...place, file: file ?? place.url });
  return {
    selector,
    ...(shown !== null && shown.file !== '' && { at: `${shown.file}:${shown.line}` }),
    ...(conditions.length > 0 && { when: conditions.join(' ') }),
    ...(inherited !== null && { inherited_from: inherited === 1 ? 'parent' : `ancestor ${inherited}` }),
    declares,
    ...(overridden.length > 0 && { overridden }),
  };
}

/** The stack of the script that sent a captured request, newest call first. */
async function describeRequest(
  { bridge, network }: InspectServices,
  { target, context, id }: { target: TabTarget; context: CallContext; id: string },
): Promise<Produced> {
  const query = { tab: target, filter: { id }, sort: null, bodies: 'none' } as const;
  const slice = await network.entries(context.session, query, context.signal);
  let entry: JsonObject | null = null;
  for await (const one of slice.entries) entry = one;
  if (entry === null)
    throw new SpillwayError('request_not_found', `request: ${cut(id, 40)} was not captured in this tab.`);
  const { tab: shown } = await askTab({ bridge, target, context }, 'tabs.get', { tab_id: target.tabId });
  const { type, url, lineNumber: row, stack } = membersOf(entry['_initiator']);
  const frames = membersOf(stack)['callFrames'];
  const calls = (isJsonList(frames) ? frames : []).map((frame) => {
    const { functionName: name, url: from, lineNumber, columnNumber } = membersOf(frame);
    const place = { url: String(from), line: Number(lineNumber) + 1, column: Number(columnNumber) + 1 };
    return { name: typeof name === 'string' ? name : '', place };
  });
  const options = { bridge, browser: target.browser, context, pageUrl: shown.url };
  const places = calls.map(({ place }) => place);
  const sources = await readSources(options, places);
  const lines = calls.map(({ name, place }) => {
    const at = formatPlace(sources.find(place) ?? { ...place, file: place.url });
    return name === '' ? at : `${name} (${at})`;
  });
  const from = typeof url === 'string' ? `${url}${typeof row === 'number' ? `:${row + 1}` : ''}` : undefined;
  const tab = formatTabId(target);
  const value = {
    ...{ tab, request: id, initiator: type ?? 'unknown' },
    ...(lines.length > 0 ? { stack: lines } : defined({ from })),
  };
  return { ...produceJson(value, { tab, request: id }, sources.leftOut), untrustedFrom: () => shown.url };
}

const membersOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
