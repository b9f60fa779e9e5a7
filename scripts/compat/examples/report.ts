import type { LegResult } from "./legs.js";

/** What is known of a story or guide. */
export interface Row {
  readonly name: string;
  /** The errors of the compiler; `undefined` when nothing was compiled. */
  readonly errors: readonly string[] | undefined;
  readonly legs: readonly LegResult[];
  /** The comments of `mcpwright migrate --native`, which ask for an edit by hand. */
  readonly todos: readonly string[];
}

/**
 * Prints a table with a row for each story and each guide, and the sums.
 * @param declarations errors in the declarations of our packages
 * @param isDetailed whether all errors and outputs follow
 * @returns whether everything compiles and passes
 */
export function printReport(rows: readonly Row[], declarations: readonly string[], isDetailed: boolean): boolean {
  const cells = rows.map(({ name, errors, legs, todos }) => [
    name,
    errors === undefined ? "-" : errors.length === 0 ? "yes" : `${errors.length} errors`,
    legs.length === 0 ? "-" : `${legs.filter(({ passed }) => passed).length} of ${legs.length}`,
    String(todos.length),
    firstError(errors, legs, todos),
  ]);
  print([["example", "compiles", "legs", "comments", "first error"], ...cells]);
  const stories = rows.filter(({ name }) => !/^(guides|shared)\//.test(name));
  const guides = rows.filter(({ name }) => name.startsWith("guides/"));
  const legs = rows.flatMap((row) => row.legs);
  const whole = stories.filter(({ errors = [], legs: own, todos }) => {
    return errors.length === 0 && todos.length === 0 && own.every(({ passed }) => passed);
  });
  console.log(
    `\nstories that compile: ${compiled(stories)}, guides that compile: ${compiled(guides)}, legs that pass: ` +
      `${legs.filter(({ passed }) => passed).length} of ${legs.length}, errors in declarations: ${declarations.length}, ` +
      `stories that compile, pass all their legs and have no comment: ${whole.length} of ${stories.length}`,
  );
  for (const error of declarations.slice(0, 10)) console.log(`  ${error}`);
  if (isDetailed) rows.forEach(printDetails);
  return (
    declarations.length === 0 &&
    rows.every(({ errors = [] }) => errors.length === 0) &&
    legs.every(({ passed }) => passed)
  );
}

function compiled(rows: readonly Row[]): string {
  return `${rows.filter(({ errors }) => errors?.length === 0).length} of ${rows.length}`;
}

function printDetails({ name, errors = [], legs, todos }: Row): void {
  for (const todo of todos) console.log(`\n${todo}`);
  for (const error of errors) console.log(`\n${error}`);
  for (const { transport, era, passed, output } of legs)
    if (!passed) console.log(`\n${name}, ${transport}, ${era}:\n${output}`);
}

function firstError(errors: readonly string[] = [], legs: readonly LegResult[], todos: readonly string[]): string {
  const [error] = errors;
  if (error !== undefined) return error;
  const failed = legs.find(({ passed }) => !passed);
  if (!failed) return todos[0] ?? "";
  const lines = failed.output.split("\n").map((line) => line.trim());
  const line = lines.find((one) => /^(Uncaught )?\w*Error\b.*:/.test(one)) ?? lines.find((one) => one !== "") ?? "";
  return `${failed.transport}, ${failed.era}: ${line}`;
}

function print(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows) {
    const line = row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)));
    console.log(line.join("  ").trimEnd().slice(0, 220));
  }
}
