import { lastingRisks } from '../../../shared/policy/names.ts';
import type { PolicyStore } from '../policy/store.ts';
import type { Question } from './state.ts';

/** Writes `always` as a rule of the person: this agent, this site, this kind of act. */
export const rememberAsRule = (store: PolicyStore, { caller, origin, risks }: Question): Promise<void> =>
  store.change((stored) => ({
    ...stored,
    rules: [
      ...stored.rules,
      {
        id: `person-${crypto.randomUUID()}`,
        sites: [origin],
        risks: lastingRisks(risks),
        agents: [caller.name],
        effect: 'allow',
        source: 'person',
      },
    ],
  }));
