import * as z from 'zod/mini';

/** In `storage.local`: whether a person wants pictures of acts. */
export const WANTED_KEY = 'act_pictures_wanted';
/** In `storage.session`, so that they go with the browser: the newest last. */
export const PICTURES_KEY = 'act_pictures';

const Picture = z.nullable(z.string());
/** How a page looked before an act and after it, as `data:` addresses; null where the browser gave no picture. */
const ActPictures = z.object({ callId: z.string(), before: Picture, after: Picture });
export type ActPictures = z.infer<typeof ActPictures>;

/** @param stored what is stored below {@link PICTURES_KEY} */
export const picturesIn = (stored: unknown): readonly ActPictures[] =>
  z.catch(z.array(ActPictures), []).parse(stored ?? []);
