import { defect, type Finding } from "../finding.js";

/** The contract number of generated code and runtime, by the file that states it. */
export type ContractNumbers = Readonly<Record<string, unknown>>;

/** Checks that all contract numbers are equal. The compiler checks that the runtime's types accept sides with that number. */
export function contractFindings(numbers: ContractNumbers): readonly Finding[] {
  const [[first, expected] = ["", undefined], ...others] = Object.entries(numbers);
  if (typeof expected !== "number" || !Number.isInteger(expected) || expected < 1)
    return [defect(first, `the contract number is ${String(expected)}`, "It must be a positive integer.")];
  return others
    .filter(([, number]) => number !== expected)
    .map(([where, number]) =>
      defect(
        where,
        `the contract number is ${String(number)}, but ${expected} in ${first}`,
        "Run npm run generate and npm run build.",
      ),
    );
}
