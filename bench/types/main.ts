/** Measures the compile time of programs that import a server and a client, writes the results, and fails when a goal is missed. */
import { type Goal, goal } from "../shared/goal.js";
import { machine, publish, quick, versionsOf } from "../shared/results.js";
import { makeStage } from "../shared/stage.js";
import { goalTable, spread, table } from "../shared/tables.js";
import { type CompilerRows, measureTypes, type TypesRow } from "./measure.js";
import { packages } from "./subjects.js";

/** Largest accepted share of the peer's figure. */
const most = 0.33;

const rounds = quick ? 2 : 11;
const stage = await makeStage(import.meta.dirname);
try {
  const compilers = await measureTypes(stage, rounds);
  const goals = compilers.flatMap(({ version, rows }) => rows.flatMap((row) => goalsOf(row, version)));
  const versions = versionsOf(packages);
  await publish("types", linesOf(compilers, goals, versions), {
    node: process.versions.node,
    versions,
    rounds,
    compilers,
    goals,
  });
} finally {
  stage.remove();
}

function goalsOf({ name, oursOf }: TypesRow, compiler: string): readonly Goal[] {
  if (!oursOf) return [];
  return [
    goal(`TypeScript ${compiler}: instantiations, relative to ${name}`, most, oursOf.instantiations),
    goal(`TypeScript ${compiler}: check time, relative to ${name}`, most, oursOf.checkMs.median),
  ];
}

function linesOf(
  compilers: readonly CompilerRows[],
  goals: readonly Goal[],
  versions: Readonly<Record<string, string>>,
): readonly string[] {
  const named = Object.entries(versions).map(([name, version]) => `${name}: ${version}`);
  return [
    "# Types",
    "",
    `${machine}. ${named.join("; ")}.`,
    "",
    "The cost of compiling the same program with each library: a server with two tools, a resource and a prompt, and a client " +
      `that uses them. Each time is the median of ${rounds} rounds in which all projects take turns, with minimum and maximum in ` +
      "parentheses. A ratio is the median of the ratios within a round. Every project reads the compiler's own libraries and Node's " +
      "types, which is most of a whole run; every project except the first reads zod's types.",
    "",
    "## Goals",
    "",
    ...goalTable(goals),
    "",
    ...compilers.flatMap(linesOfCompiler),
  ];
}

function linesOfCompiler({ version, rows }: CompilerRows): readonly string[] {
  return [
    `## TypeScript ${version}`,
    "",
    ...table(
      ["project", "instantiations", "types", "files", "check, ms", "whole run, ms", "over nothing but Node, ms"],
      rows.map(({ name, instantiations, types, files, checkMs, totalMs, overFloorMs }) => [
        name,
        String(instantiations),
        String(types),
        String(files),
        spread(checkMs, 0),
        spread(totalMs, 0),
        spread(overFloorMs, 0),
      ]),
    ),
    "",
    "mcpwright relative to each peer:",
    "",
    ...table(
      ["peer", "instantiations", "check", "whole run", "over nothing but Node", "over zod alone"],
      rows.flatMap(({ name, oursOf }) =>
        oursOf
          ? [
              [
                name,
                oursOf.instantiations.toFixed(3),
                spread(oursOf.checkMs),
                spread(oursOf.totalMs),
                spread(oursOf.overFloorMs),
                spread(oursOf.overZodMs),
              ],
            ]
          : [],
      ),
    ),
    "",
  ];
}
