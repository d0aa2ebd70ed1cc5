import { SpillwayError } from '../../../shared/base/errors.ts';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import type { Device, TabInput } from '../../platform/device.ts';
import { withoutDebugger } from '../../platform/chromium/debugger/absent.ts';
import type { ChannelPlace } from '../../core/pages/channels.ts';
import type { CallPolicy, PolicyPlace } from '../../core/policy/call-policy.ts';
import { placeOfChannel } from '../../core/policy/documents.ts';
import type { PersonTabs } from '../../core/person-tabs.ts';
import { ForeignFrames, type Sending } from './foreign-frames.ts';

export { openInput } from '../../platform/chromium/device.ts';

/** The document that something is sent to. */
export interface Receiver extends ChannelPlace {
  readonly isClosed: boolean;
}

/** The devices of one `send`, by the drawing that has a document. They give nothing after it. */
export type Devices = (drawing: string | null) => Device;

interface GateOptions {
  readonly tabId: number;
  readonly policy: Pick<CallPolicy, 'passes' | 'expect'>;
  readonly risks: readonly Risk[];
  readonly personTabs: Pick<PersonTabs, 'check'>;
  /** Null if only scripts can give input. */
  readonly input: TabInput | null;
  /** Keeps the session's hold on the tab. @throws SpillwayError `tab_busy` */
  readonly renew: () => void;
  /** Resolves when the act is in the ledger, and the page before it is known. */
  readonly written: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** The only way from an act to a page: every input passes {@link send}, and every change by a script. */
export class Gate {
  /** The current field or step has sent its input: if a dialog ends the act now, it counts as done. */
  hasBegun = false;

  /** The frames that input is kept out of. */
  get foreign(): Pick<ForeignFrames, 'confineTo' | 'expectNoneKept'> {
    return this.#foreign;
  }

  readonly #foreign: ForeignFrames;

  constructor(private readonly of: GateOptions) {
    this.#foreign = new ForeignFrames(of);
  }

  /**
   * Does work that changes a page, once the ledger has the act. The act, the tab and the rules are looked at before the
   * work and, in the turn that sends it, before each event.
   * @param how null for a change by a script
   * @param work calls `renew` between events that it waits for
   * @throws SpillwayError why the act may not go on, and as `ForeignFrames.spare`
   */
  async send<T>(
    to: Receiver,
    how: Sending | null,
    work: (devices: Devices, renew: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const { input, policy, risks, written } = this.of;
    const place = await placeOfChannel(to);
    if (!policy.passes(place, risks)) await policy.expect(place, risks, { asks: false, waits: false });
    this.#check(to, place);
    await written();
    let isOpen = true;
    const check = (): void => {
      if (!isOpen) throw new SpillwayError('internal_error', 'Input came after its gesture.');
      this.#check(to, place);
    };
    const devices: Devices = (drawing) => {
      if (input === null || how === null) throw withoutDebugger('input');
      return input.device(drawing, () => {
        check();
        this.hasBegun = true;
      });
    };
    const pass = async (renew: () => Promise<void>): Promise<T> => {
      check();
      return work(devices, renew);
    };
    try {
      return await (how === null ? pass(() => Promise.resolve()) : this.#foreign.spare(how, pass));
    } finally {
      isOpen = false;
    }
  }

  #check(to: Receiver, place: PolicyPlace): void {
    const { tabId, policy, risks, personTabs, renew, signal } = this.of;
    signal.throwIfAborted();
    personTabs.check(tabId);
    renew();
    if (to.isClosed) throw new SpillwayError('page_changed', 'The page was closed or navigated meanwhile.');
    if (policy.passes(place, risks)) return;
    throw new SpillwayError('policy_denied', 'The rules have changed meanwhile, and deny this act.');
  }
}
