/** What starting Node costs. */
export {};
