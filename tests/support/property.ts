import fc from 'fast-check';

/**
 * fast-check with a fixed seed, so that a run is repeatable. `SPILLWAY_SEED=random` looks for new counterexamples, and
 * a number repeats a run that found one.
 */
const { SPILLWAY_SEED } = process.env;
if (SPILLWAY_SEED !== 'random') fc.configureGlobal({ seed: Number(SPILLWAY_SEED ?? 1) });

export default fc;
