/** Measures the start of Node itself. */
export {};
