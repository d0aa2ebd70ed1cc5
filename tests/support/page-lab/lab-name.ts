export const LAB = 'spillwayLab';
