import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { format } from "prettier";
import type { Goal } from "./goal.js";

/** Same as in the repository's prettier options, because its format check covers the results. */
const printWidth = 120;
const folder = new URL("../results/", import.meta.url);

/** `--quick` only checks that everything runs; its figures are not meaningful. */
export const quick = process.argv.includes("--quick");

/** The platform of the measurement, for the head of the report. */
export const machine = `Node ${process.versions.node}, ${process.platform} ${process.arch}`;

/** Prints the report, writes it unless `--quick` is set, and makes the process fail when a goal is missed. */
export async function publish<Results extends { readonly goals: readonly Goal[] }>(
  name: string,
  lines: readonly string[],
  results: Results,
): Promise<void> {
  const markdown = await format(lines.join("\n"), { parser: "markdown", printWidth });
  console.log(markdown);
  if (!quick) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(new URL(`${name}.md`, folder), markdown);
    writeFileSync(new URL(`${name}.json`, folder), await jsonOf(results));
  }
  if (!results.goals.every(({ met }) => met)) process.exitCode = 1;
}

function jsonOf(results: object): Promise<string> {
  const rounded = JSON.stringify(results, (_, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(5)) : value,
  );
  return format(rounded, { parser: "json", printWidth });
}

/** The installed versions of zod and of the peers. */
export function versionsOf(packages: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> {
  const names = ["zod", ...Object.values(packages).flat()];
  return Object.fromEntries(
    names.map((name) => {
      const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
      return [name, (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version];
    }),
  );
}
