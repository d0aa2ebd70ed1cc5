import { z } from 'zod';
import { path, setting } from '../core/flag.ts';

export const settings = {
  /** Folders that files may be uploaded from. Undefined: none. */
  uploadRoot: setting({
    flag: '--upload-root <folder>',
    help: 'a folder that files may be uploaded from; can be repeated',
    read: (folder) => [folder],
    schema: () => z.array(path('a folder'), { error: 'It takes a list of folders' }),
  }),
};
