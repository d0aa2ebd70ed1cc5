/** Where a bundle puts its functions. */
export const LAB = 'spillwayLab';
