import { type Cell, hasFailed, type Pairing } from "./pairing.js";

/** The maximum length of a peer's output in the report. */
const shownLength = 300;

/**
 * A table with a row per pairing and a column per feature. The cells count the revisions at which it passes; `-` means that the
 * peer lacks it at some or all revisions; an empty cell means that the feature does not exist there.
 */
export function table(cells: readonly Cell[]): string {
  const features = featuresOf(cells);
  const rows = [
    ["peer", "as", "over", ...features.map((_, index) => columnName(index))],
    ...pairingsOf(cells).map((pairing) => [
      pairing.peer,
      pairing.role,
      pairing.transport,
      ...features.map((feature) => mark(cells.filter((cell) => cell.pairing === pairing && cell.feature === feature))),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const legend = features.map((feature, index) => `${columnName(index)} ${feature}`).join(", ");
  return `${lines.join("\n")}\n\n${legend}`;
}

/** a to z, then aa, ab and so on. */
function columnName(index: number): string {
  const letter = String.fromCharCode(97 + (index % 26));
  return index < 26 ? letter : `${columnName(Math.floor(index / 26) - 1)}${letter}`;
}

function mark(cells: readonly Cell[]): string {
  if (cells.some(hasFailed)) return "FAILED";
  const passed = cells.filter(({ problem }) => problem === undefined).length;
  if (cells.length === 0) return "";
  return passed === cells.length ? String(passed) : passed === 0 ? "-" : `${passed}-`;
}

/** The known gaps of peers, each with the evidence of one revision. */
export function knownGapsList(cells: readonly Cell[]): string {
  return pairingsOf(cells)
    .flatMap((pairing) => {
      const theirs = cells.filter((cell) => cell.pairing === pairing && cell.knownGap && cell.problem !== undefined);
      return featuresOf(theirs).map((feature) => {
        const some = theirs.filter((cell) => cell.feature === feature);
        const control = pairing.control ? "; it is the same with an official client" : "";
        return [
          `${title(pairing)} lacks ${feature} (${some.map(({ revision }) => revision).join(", ")}): ${some[0]?.knownGap?.what ?? ""}`,
          `  ${shown(some[0]?.problem)}${control}`,
        ].join("\n");
      });
    })
    .join("\n");
}

export function problems(cells: readonly Cell[]): string {
  return cells
    .filter(hasFailed)
    .map(
      ({ pairing, revision, feature, problem = "" }) =>
        `FAILED ${title(pairing)}: ${feature} at ${revision}\n  ${problem}`,
    )
    .join("\n");
}

export function pairingsOf(cells: readonly Cell[]): readonly Pairing[] {
  return [...new Set(cells.map(({ pairing }) => pairing))];
}

export function featuresOf(cells: readonly Cell[]): readonly string[] {
  return [...new Set(cells.map(({ feature }) => feature))];
}

function title({ peer, role, transport }: Pairing): string {
  return `${peer} as ${role} over ${transport}`;
}

function shown(text = ""): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
