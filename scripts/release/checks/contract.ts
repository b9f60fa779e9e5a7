import { defect, type Finding } from "../finding.js";

/** Where the number of the contract between generated code and runtime stands, and what it is there. */
export type ContractNumbers = Readonly<Record<string, unknown>>;

/** They are all the same. That the runtime's types take sides of that number is for the compiler to say. */
export function contractFindings(numbers: ContractNumbers): readonly Finding[] {
  const [[first, expected] = ["", undefined], ...others] = Object.entries(numbers);
  if (typeof expected !== "number" || !Number.isInteger(expected) || expected < 1)
    return [defect(first, `the number of the contract is ${String(expected)}`, "It has to be a positive integer.")];
  return others
    .filter(([, number]) => number !== expected)
    .map(([where, number]) =>
      defect(
        where,
        `the number of the contract is ${String(number)}, but ${expected} in ${first}`,
        "Run npm run generate and npm run build.",
      ),
    );
}
