import { z } from 'zod';

const Shown = z.object({ isTTY: z.boolean(), columns: z.number().nullable() });

/** The first line of a client: a command, or the end of the session. */
export const Order = z.union([
  z.object({ token: z.string(), stop: z.literal(true) }),
  z.object({
    token: z.string(),
    words: z.array(z.string()).readonly(),
    /** Where the client runs: relative paths of the words start there. */
    folder: z.string(),
    /** Standard input, if an argument asks for it. */
    input: z.string().nullable(),
    stdout: Shown,
    stderr: Shown,
  }),
]);
export type Order = z.infer<typeof Order>;

/** A line from the server: data for a stream, in base64, or the exit code. */
export type Frame = { readonly to: 'stdout' | 'stderr'; readonly data: string } | { readonly exit: number };
