import type { BundleRow } from "../shared/bundle.js";
import { type Goal, goal } from "../shared/goal.js";
import type { StartRow } from "./cold-start.js";
import type { ClientRow } from "./measure-clients.js";
import type { ListRow } from "./measure-lists.js";
import type { ServerRow } from "./measure-servers.js";
import { ours, rawClient } from "./subjects.js";
import { bundles, type InstallRow } from "./weight.js";

export interface Measured {
  readonly servers: readonly ServerRow[];
  readonly clients: readonly ClientRow[];
  readonly lists: readonly ListRow[];
  readonly starts: readonly StartRow[];
  readonly bundles: readonly BundleRow[];
  readonly installs: readonly InstallRow[];
}

export const allowed = ["@mcpwright/protocol", "@mcpwright/runtime", "eventsource-parser"];

/** Compares the results with the goals. */
export function goalsOf(measured: Measured): readonly Goal[] {
  const { servers, clients, lists, starts, installs } = measured;
  const install = installs.find(({ name }) => name === ours);
  const strangers = install?.packages.filter((one) => !allowed.includes(one.slice(0, one.lastIndexOf("@"))));
  const gzipped = (name: string): number => measured.bundles.find((row) => row.name === name)?.gzipped ?? NaN;
  return [
    ...mine(servers).map(({ revision, timesFloor }) =>
      goal(`server, ${revision}: CPU per call, relative to the raw echo with coalesced writes`, 2, timesFloor.median),
    ),
    ...mine(clients).map(({ revision, timesRaw }) =>
      goal(`client, ${revision}: CPU per call, relative to the ${rawClient}`, 1.2, timesRaw.median),
    ),
    ...mine(lists).map(({ revision, cpuMicroseconds }) =>
      goal(`tools/list of 100 tools, ${revision}: CPU per call, µs`, 100, cpuMicroseconds.median),
    ),
    ...mine(starts).map(({ overEmpty }) => goal("cold start: ms over an empty script", 10, overEmpty.median)),
    goal("bundle, stdio server, all revisions: bytes gzipped", 14_000, gzipped(bundles.server)),
    goal("bundle, stdio client, all revisions: bytes gzipped", 14_000, gzipped(bundles.client)),
    goal("bundle, stdio server, one revision: bytes gzipped", 9_000, gzipped(bundles.serverOne)),
    goal("bundle, stdio client, one revision: bytes gzipped", 9_000, gzipped(bundles.clientOne)),
    goal("production install: bytes", 1_500_000, install?.bytes ?? NaN),
    goal(`production install: packages other than ${allowed.join(", ")}`, 0, strangers?.length ?? NaN),
  ];
}

function mine<Row extends { readonly name: string }>(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ name }) => name === ours);
}
