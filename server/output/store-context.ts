import type { Listeners } from '../core/listeners.ts';
import type { Journal, Logger } from '../core/services.ts';
import type { Expiry } from '../machine/expiry.ts';
import type { StoreFileSystem } from './file-system.ts';

/** What the parts of the store share. */
export interface StoreContext {
  readonly fs: StoreFileSystem;
  /** `<home>/output`. */
  readonly root: string;
  readonly expiry: Expiry;
  readonly maxBytes: number;
  readonly logger: Logger;
  readonly journal: Pick<Journal, 'record'>;
  /** Called with each handle that has ended. */
  readonly ended: Listeners<string>;
}
