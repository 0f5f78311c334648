/** As the server has it for forces in body weights and for the walk of people. */
export const kGravity_mps2 = 9.8;
