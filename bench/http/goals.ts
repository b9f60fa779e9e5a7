import { programs } from "../../scripts/size/programs.js";
import type { BundleRow } from "../shared/bundle.js";
import { type Goal, goal } from "../shared/goal.js";
import type { ServerRow } from "./measure.js";
import { ours, oursFetch, oursFetchPlain } from "./subjects.js";

const { httpServer } = programs;
const inSession = (form: string): boolean => form.includes(", sessions");

/** Compares the results with the goals. */
export function goalsOf(servers: readonly ServerRow[], bundles: readonly BundleRow[]): readonly Goal[] {
  const timesFloor = (name: string, most: number, fits: (form: string) => boolean = () => true): readonly Goal[] =>
    servers
      .filter((row) => row.name === name && fits(row.form))
      .map((row) =>
        goal(`${name}, ${row.form}: CPU per request, relative to bare node:http`, most, row.timesFloor.median),
      );
  return [
    ...timesFloor(ours, 1.25, inSession),
    ...timesFloor(ours, 1.4, (form) => !inSession(form)),
    ...timesFloor(oursFetch, 4),
    ...timesFloor(oursFetchPlain, 4),
    goal(`bundle, ${httpServer.name}: bytes gzipped`, httpServer.most, gzipped(bundles, httpServer.name)),
  ];
}

function gzipped(bundles: readonly BundleRow[], wanted: string): number {
  return bundles.find(({ name }) => name === wanted)?.gzipped ?? NaN;
}
