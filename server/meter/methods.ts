import type { Logger, Journal, Redactor } from '../core/services.ts';
import type { LiveMeter } from './meter.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { METER_METHODS, MeterReading } from '../../shared/bridge/meter.ts';
import type { ServerMethods } from '../../shared/bridge/server-methods.ts';
import type { Clean } from '../redact/clean.ts';

interface MeterParts {
  readonly meter: LiveMeter;
  readonly journal: Pick<Journal, 'record'>;
  /** Writes to the ledger that a person has lifted a budget. */
  readonly record: (facts: { readonly name: string; readonly session: string }) => Promise<unknown>;
  readonly redactor: Redactor;
  readonly logger: Pick<Logger, 'error'>;
}

export function createMeterMethods(parts: MeterParts): Pick<ServerMethods, keyof typeof METER_METHODS> {
  const { meter, journal, record, redactor, logger } = parts;
  const clean = <T extends JsonObject>(value: T): Clean<T> => redactor.value(value);
  // Agents and tools have names of their own choice.
  const read = (): Clean<MeterReading> => {
    const { sessions, ...others } = meter.read();
    return {
      ...clean(others),
      // A member called `session` would be redacted as a secret, but lifting a budget needs its id.
      sessions: sessions.map(({ session, ...one }) => ({
        ...clean(one),
        session: clean({ id: session }).id,
      })),
    };
  };
  return {
    'meter.read': async () => read(),
    'budget.lift': async ({ session: id, tokens, where }) => {
      const { name, budget } = meter.lift(id, tokens);
      journal.record({ event: 'budget_lifted', agent: name, client_session: id, tokens, where });
      // As when an agent is stopped: an unwritable ledger does not overrule the person.
      await record({ name, session: id }).catch((thrown: unknown) => {
        logger.error({ err: thrown }, 'a lifted budget is not in the ledger');
      });
      return { budget };
    },
  };
}
