import { programs } from "../../scripts/size/programs.js";
import type { BundleRow } from "../shared/bundle.js";
import { type Goal, goal } from "../shared/goal.js";
import type { StartRow } from "./cold-start.js";
import type { ClientRow } from "./measure-clients.js";
import type { ListRow } from "./measure-lists.js";
import type { ServerRow } from "./measure-servers.js";
import { ours, rawClient } from "./subjects.js";
import type { InstallRow } from "./weight.js";

export interface Measured {
  readonly servers: readonly ServerRow[];
  readonly clients: readonly ClientRow[];
  readonly lists: readonly ListRow[];
  readonly starts: readonly StartRow[];
  readonly bundles: readonly BundleRow[];
  readonly installs: readonly InstallRow[];
}

export const allowed = ["@mcpwright/protocol", "@mcpwright/runtime", "eventsource-parser"];

/** CPU per call of the server, relative to the floor. */
const mostTimes: Readonly<Record<string, number>> = { "2025-11-25": 1.4, "2026-07-28": 1.3 };

/** Compares the results with the goals. */
export function goalsOf(measured: Measured): readonly Goal[] {
  const { servers, clients, lists, starts, installs } = measured;
  const install = installs.find(({ name }) => name === ours);
  const strangers = install?.packages.filter((one) => !allowed.includes(one.slice(0, one.lastIndexOf("@"))));
  const gzipped = (name: string): number => measured.bundles.find((row) => row.name === name)?.gzipped ?? NaN;
  const sdk2Start = Math.min(
    ...starts.filter(({ name }) => name.startsWith("SDK 2.x")).map(({ overEmpty }) => overEmpty.median),
  );
  return [
    ...mine(servers).map(({ revision, timesFloor }) =>
      goal(
        `server, ${revision}: CPU per call, relative to the raw echo with coalesced writes`,
        mostTimes[revision] ?? NaN,
        timesFloor.median,
      ),
    ),
    ...mine(clients).map(({ revision, timesRaw }) =>
      goal(`client, ${revision}: CPU per call, relative to the ${rawClient}`, 1.2, timesRaw.median),
    ),
    ...mine(lists).map(({ revision, cpuMicroseconds }) =>
      goal(`tools/list of 100 tools, ${revision}: CPU per call, µs`, 100, cpuMicroseconds.median),
    ),
    ...mine(starts).flatMap(({ overEmpty }) => [
      goal("cold start: ms over an empty script", 20, overEmpty.median),
      goal("cold start over an empty script, relative to SDK 2.x", 0.15, overEmpty.median / sdk2Start),
    ]),
    ...Object.values(programs)
      .filter(({ name }) => measured.bundles.some((row) => row.name === name))
      .map(({ name, most }) => goal(`bundle, ${name}: bytes gzipped`, most, gzipped(name))),
    goal("production install: bytes", 1_500_000, install?.bytes ?? NaN),
    goal(`production install: packages other than ${allowed.join(", ")}`, 0, strangers?.length ?? NaN),
  ];
}

function mine<Row extends { readonly name: string }>(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ name }) => name === ours);
}
