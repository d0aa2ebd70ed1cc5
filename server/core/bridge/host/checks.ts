/*
 * The host's part of Zod, in a separate chunk: it loads while the hellos are in flight, so that the host's first
 * message does not wait for it.
 */
export { ServerProof, ToHostControl } from '../../../../shared/core/bridge/hello.ts';
export { removeStale } from '../registrations.ts';
