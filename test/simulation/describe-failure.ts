import type { Outcome } from "./run-seed.js";

/** The most lines of a trace that are printed. */
const maxLines = 80;
/** What happens to nodes and the backplane. */
const isFault =
  / (n\d+ (starts|dies|shuts down|gets no messages|connection breaks)|faults end|clients leave|VIOLATION) ?/;

/**
 * Describes a failed simulation: what was violated, the steps that concern it, and how to see all steps.
 * @param outcome one with its trace
 */
export function describeFailure({ seed, violations, trace }: Outcome): string {
  const lines = reduce(trace, violations);
  return [
    `seed ${seed} failed:`,
    ...violations.map((one) => `  ${one}`),
    `the steps that concern it, of ${trace.length}:`,
    ...lines.map((line) => `  ${line}`),
    `replay it: npm run simulate -- --seed ${seed} --trace`,
    "",
  ].join("\n");
}

/** Keeps the lines about the clients and nodes that the violations name, up to the first violation, and all faults. */
function reduce(trace: readonly string[], violations: readonly string[]): readonly string[] {
  const names = new Set(violations.flatMap((one) => one.match(/\b[cn]\d+\b/g) ?? []));
  const end = trace.findIndex((line) => line.includes(" VIOLATION "));
  const steps = trace.slice(0, end < 0 ? undefined : end + 1).map((line) => line.replaceAll("\n", "\\n"));
  const about = steps.filter((line) => isFault.test(line) || [...names].some((name) => line.includes(` ${name} `)));
  return about.slice(-maxLines).map((line) => (line.length > 300 ? `${line.slice(0, 300)}…` : line));
}
