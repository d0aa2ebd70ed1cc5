import { visibleName } from '../../../../shared/policy/reveal.ts';
import type { AgentControl } from '../../feed-protocol.ts';

type Agent = Pick<AgentControl, 'name' | 'session'>;

export const EVERYONE: Agent = { name: null, session: null };

const isSameName = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : visibleName(a) === visibleName(b);

const strictest = (found: readonly AgentControl[]): AgentControl | null =>
  found.find(({ state }) => state === 'stopped') ?? found[0] ?? null;

/** What a person has decided about exactly this: a session, a name, or everyone. */
export const controlOf = (controls: readonly AgentControl[], { name, session }: Agent): AgentControl | null =>
  controls.find((control) =>
    session === null
      ? control.session === null && isSameName(control.name, name)
      : control.session === session,
  ) ?? null;

/** What holds for a session, or for all of a name where `session` is null, whichever of the three was decided. */
export const heldBy = (controls: readonly AgentControl[], { name, session }: Agent): AgentControl | null =>
  strictest(
    controls.filter(
      (control) =>
        (control.session === null && (control.name === null || isSameName(control.name, name))) ||
        (session !== null && control.session === session),
    ),
  );
