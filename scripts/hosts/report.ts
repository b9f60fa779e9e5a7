/** The result of one behaviour in one revision, as the suite reports it. */
export interface Outcome {
  readonly behaviour: string;
  readonly revision: string;
  readonly problem?: string;
}

/** A behaviour that a host does not support and that is not tested on it. */
export interface LeftOut {
  readonly behaviour: string;
  readonly revision: string;
  readonly reason: string;
}

export interface Verdict {
  readonly name: string;
  readonly role: "server" | "client";
  readonly outcomes: readonly Outcome[];
  readonly leftOut: readonly LeftOut[];
  readonly seconds: number;
}

/** A table with a row per behaviour and a column per host. The cells contain the number of revisions in which it passed. */
export function table(verdicts: readonly Verdict[]): string {
  const behaviours = [...new Set(verdicts.flatMap(({ outcomes }) => outcomes.map(({ behaviour }) => behaviour)))];
  const rows = [
    ["", ...verdicts.map(({ role }) => role)],
    ["behaviour", ...verdicts.map(({ name }) => name)],
    ...behaviours.map((behaviour) => [behaviour, ...verdicts.map(({ outcomes }) => cell(outcomes, behaviour))]),
    ["seconds", ...verdicts.map(({ seconds }) => seconds.toFixed(1))],
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cell(outcomes: readonly Outcome[], behaviour: string): string {
  const some = outcomes.filter((outcome) => outcome.behaviour === behaviour);
  const passed = some.filter(({ problem }) => problem === undefined).length;
  return some.length === 0 ? "-" : passed === some.length ? String(passed) : `${passed} of ${some.length}`;
}

/** The problems of each host. */
export function problems(verdicts: readonly Verdict[]): string {
  return verdicts
    .flatMap(({ name, role, outcomes }) =>
      outcomes
        .filter(({ problem }) => problem !== undefined)
        .map(({ behaviour, revision, problem }) => `\n${name} as ${role}: ${behaviour} (${revision})\n  ${problem}`),
    )
    .join("\n");
}

/** The behaviours that were not tested, with the reasons. */
export function omissions(verdicts: readonly Verdict[]): string {
  return verdicts
    .flatMap(({ name, role, leftOut }) =>
      leftOut.map(
        ({ behaviour, revision, reason }) => `${name} as ${role}, left out: ${behaviour} (${revision}): ${reason}`,
      ),
    )
    .join("\n");
}
