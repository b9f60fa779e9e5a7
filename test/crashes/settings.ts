import type { Principal } from "../../runtime/src/transport/principal.js";

/** Short, so that the tasks of a killed process are claimed while the test runs. */
export const leaseMs = 300;
export const unlimited = { maxTasks: 1_000_000, maxTasksPerOwner: 1_000_000 };
/** The same subject at two issuers, and none. */
export const owners: readonly (Principal | null)[] = [
  { issuer: "https://one.example", subject: "ada" },
  { issuer: "https://two.example", subject: "ada" },
  null,
];
export const processDied = "the process that ran the task died";
/** The tools of the servers, and whether they may run again. */
export const tools: Readonly<Record<string, boolean>> = { once: false, again: true };
/** The header that names a user by the position in `owners`. */
export const userHeader = "x-user";
