import type { BundleRow } from "../shared/bundle.js";
import { type Goal, goal } from "../shared/goal.js";
import type { ServerRow } from "./measure.js";
import { ours, oursFetch, oursFetchPlain } from "./subjects.js";
import { serverBundle } from "./weight.js";

/** Compares the results with the goals. */
export function goalsOf(servers: readonly ServerRow[], bundles: readonly BundleRow[]): readonly Goal[] {
  const timesFloor = (name: string, most: number): readonly Goal[] =>
    servers
      .filter((row) => row.name === name)
      .map((row) =>
        goal(`${name}, ${row.form}: CPU per request, relative to bare node:http`, most, row.timesFloor.median),
      );
  return [
    ...timesFloor(ours, 1.4),
    ...timesFloor(oursFetch, 4),
    ...timesFloor(oursFetchPlain, 4),
    goal(`bundle, ${serverBundle}: bytes gzipped`, 18_000, gzipped(bundles, serverBundle)),
  ];
}

function gzipped(bundles: readonly BundleRow[], wanted: string): number {
  return bundles.find(({ name }) => name === wanted)?.gzipped ?? NaN;
}
