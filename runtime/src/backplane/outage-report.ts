import { BackplaneError } from "./backplane-error.js";

/** Errors that follow each other within this time belong to one outage, in milliseconds: parts of a node try again more often. */
const longestSilenceMs = 30_000;

/**
 * Returns a function that reports errors, and an outage of the backplane once: several parts of a node notice it again and again, as they
 * try to go on.
 */
export function reportOutagesOnce(report: (error: unknown) => void): (error: unknown) => void {
  let lastAt = -Infinity;
  return (error) => {
    if (!(error instanceof BackplaneError) || error.reason !== "unavailable") return report(error);
    const now = performance.now();
    const isNew = now - lastAt > longestSilenceMs;
    lastAt = now;
    if (isNew) report(error);
  };
}
