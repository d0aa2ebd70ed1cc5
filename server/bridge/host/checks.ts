/*
 * What the host needs of Zod, in a chunk of its own: it loads while the hellos are on their way,
 * so that the host's first word does not wait for it.
 */
export { ServerProof, ToHostControl } from '../../../shared/bridge/hello.ts';
export { removeStale } from '../registrations.ts';
