import * as z from 'zod/mini';
import { placesIn } from '../../../shared/base/code-places.ts';
import { cut, cutUrl } from '../../../shared/base/cut.ts';
import type { Component, StyleRule } from '../../../shared/inspect/inspect.methods.ts';
import { fittingFrame } from '../../core/link/frame-room.ts';
import type { Create } from '../../core/handler.ts';
import { explaining } from '../../read/worker/read-tab.ts';
import { WorkOrder } from '../../../shared/base/work-order.ts';
import { getReadableTab, runInPage } from '../../core/pages/targets.ts';
import { placeOfFrame } from '../../core/policy/documents.ts';
import { readComputed } from '../../core/in-page/components.ts';
import { inspectElement, type Inspected } from '../../platform/chromium/inspect.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { orderRules } from './cascade.ts';

const Values = z.array(z.tuple([z.string(), z.string()]));

const TEXT_UNITS = 300;
const URL_UNITS = 2_048;
/** Source maps in an answer: of evaluated modules, which are small. */
const MAP_UNITS = 64 * 1_024;
const RULES = 100;
const VALUES = 100;

const textOf = (text: string): string => cut(text, TEXT_UNITS).toWellFormed();
const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;

function componentOf(one: Inspected['components'][number], maps: Inspected['maps']): Component {
  const { framework, name, file, stack, begins } = one;
  // In the stack that React keeps, the first frame is its own.
  const written = placesIn(stack ?? '')[1] ?? null;
  const place = written ?? begins;
  const map = maps.get(place?.url ?? '');
  const hasLine = positive(one.line) !== null;
  return {
    framework: textOf(framework),
    name: name === undefined ? null : textOf(name),
    file: file === undefined ? null : cutUrl(file, URL_UNITS).toWellFormed(),
    line: positive(one.line),
    column: positive(one.column),
    is_definition: written === null && !(hasLine && (framework === 'react' || framework === 'svelte')),
    place:
      place === null
        ? null
        : { ...place, ...(map !== undefined && map.length < MAP_UNITS && { map_url: map }) },
  };
}

const shownRule = ({ selector, conditions, declares, overridden, place, ...rest }: StyleRule): StyleRule => ({
  ...rest,
  selector: textOf(selector),
  conditions: conditions.map(textOf),
  declares: declares.slice(0, VALUES).map(textOf),
  overridden: overridden.slice(0, VALUES).map(textOf),
  place: (place?.map_url?.length ?? 0) < MAP_UNITS ? place : null,
});

/** The method of `inspect`: what an element's document says about it. Nothing in the page changes. */
export const createHandlers: Create<'page.inspect'> = ({ refBook, ...services }) => {
  const turns = new WorkOrder<number>();
  return {
    'page.inspect': async ({ tab_id: tabId, caller, ref, styles, computed: names }, { signal, policy }) => {
      await getReadableTab(tabId);
      const viewer = caller.session;
      // One at a time: the end of one would disable the domains that another reads.
      const work = () =>
        turns.run(tabId, async () => {
          const place = await refBook.find(ref, { tabId, viewer });
          const document = await placeOfFrame(tabId, place.frameId);
          if (document === null || document.documentId !== place.documentId)
            throw new SpillwayError('page_changed', 'The page navigated meanwhile.');
          await policy.expect(document, ['read']);
          signal.throwIfAborted();
          const found = await inspectElement(services, { tabId, ref, viewer, place, styles, signal });
          const target = { tabId, documentIds: [place.documentId] };
          const values = await runInPage({
            target,
            url: document.url,
            func: readComputed,
            args: [ref, viewer, names],
            signal,
          });
          const ordered = orderRules(found.rules);
          const rules = ordered.slice(0, RULES).map(shownRule);
          const components = found.components.map((one) => componentOf(one, found.maps));
          const fitting = new Set<object>(fittingFrame([...components, ...rules]));
          const kept = rules.filter((rule) => fitting.has(rule));
          return {
            url: document.url,
            components: components.filter((one) => fitting.has(one)),
            rules: kept,
            computed: Object.fromEntries(
              (Values.safeParse(values).data ?? []).map(([name, value]) => [name, textOf(value)]),
            ),
            left_out: ordered.length - kept.length,
          };
        });
      return explaining(tabId, signal, work);
    },
  };
};
