import * as z from 'zod/mini';
import { SpillwayError } from '../../../shared/errors.ts';
import type { ActDebugger } from '../../background/act/act-debugger.ts';

const Remote = z.object({ objectId: z.optional(z.string()) });
const Resolved = z.object({ object: z.object({ objectId: z.string() }) });
const Evaluated = z.object({ result: Remote });
const Described = z.object({ node: z.object({ backendNodeId: z.int() }) });
const Tree = z.object({ frameTree: z.object({ frame: z.object({ id: z.string() }) }) });
const World = z.object({ executionContextId: z.int() });

/** The debugger releases a function's objects by this name. */
export const GROUP = 'spillway.evaluate';
const WORLD = 'spillway.evaluate';

/** Asks our own script, in a world where no page can interfere. */
const FIND = `function (ref, viewer) {
  return Reflect.get(globalThis, Symbol.for('spillway.page'))?.element(ref, viewer) ?? null;
}`;

export interface Scope {
  /** Null for the tab's own. */
  readonly session: string | null;
  /** Any object of its world. */
  readonly within: string;
  /** The element that it receives. */
  readonly element: string | null;
}

interface Wanted extends Pick<ActDebugger, 'lease' | 'frames'> {
  readonly world: 'isolated' | 'page';
  readonly ref: string | null;
  /** The session that `ref` was shown to. */
  readonly viewer: string;
}

/** @throws SpillwayError `stale_ref`, and of the lost attachment */
export async function findScope(wanted: Wanted): Promise<Scope> {
  const { lease, world, ref } = wanted;
  const element = ref === null ? null : await findElement(wanted, ref);
  const session = element?.session ?? null;
  const send = (method: string, params: object = {}): Promise<Record<string, unknown>> =>
    lease.send(method, params, { sessionId: session });
  const isolated = async (): Promise<number> => {
    const frameId = element?.frameId ?? Tree.parse(await send('Page.getFrameTree')).frameTree.frame.id;
    return World.parse(await send('Page.createIsolatedWorld', { frameId, worldName: WORLD }))
      .executionContextId;
  };
  const context = world === 'isolated' ? await isolated() : null;
  if (element !== null) {
    const { object } = Resolved.parse(
      await send('DOM.resolveNode', {
        backendNodeId: element.node,
        objectGroup: GROUP,
        ...(context === null ? {} : { executionContextId: context }),
      }),
    );
    return { session, within: object.objectId, element: object.objectId };
  }
  const { result } = Evaluated.parse(
    await send('Runtime.evaluate', {
      expression: 'this',
      objectGroup: GROUP,
      ...(context === null ? {} : { contextId: context }),
    }),
  );
  return { session, within: result.objectId ?? '', element: null };
}

interface Found {
  readonly session: string | null;
  readonly frameId: string;
  readonly node: number;
}

/** A ref is issued once per browser, so only the document that knows it answers. */
async function findElement({ lease, frames, viewer }: Wanted, ref: string): Promise<Found> {
  for (const session of await frames.all()) {
    const send = (method: string, params: object = {}): Promise<Record<string, unknown>> =>
      lease.send(method, params, { sessionId: session });
    for (const { id, frameId } of lease.contexts.in(session)) {
      const asked = {
        functionDeclaration: FIND,
        executionContextId: id,
        objectGroup: GROUP,
        arguments: [{ value: ref }, { value: viewer }],
      };
      const { objectId } = Evaluated.parse(await send('Runtime.callFunctionOn', asked)).result;
      if (objectId === undefined) continue;
      const { node } = Described.parse(await send('DOM.describeNode', { objectId }));
      return { session, frameId, node: node.backendNodeId };
    }
  }
  throw new SpillwayError('stale_ref', `The element of ref ${ref} is gone or was replaced.`);
}
