import { execFileSync } from "node:child_process";
import type { Suite } from "./suite.js";

export const roles = ["server", "client"] as const;
export type Role = (typeof roles)[number];

/** One scenario of the suite, to be run in one revision. */
export interface Job {
  readonly role: Role;
  readonly revision: string;
  readonly scenario: string;
}

/** Where the suite says what a revision requires, that counts; of older ones it only knows what applies to them. */
const listings: readonly (readonly [revision: string, option: "--requirements" | "--spec-version"])[] = [
  ["2026-07-28", "--requirements"],
  ["2025-11-25", "--requirements"],
  ["2025-06-18", "--spec-version"],
  ["2025-03-26", "--spec-version"],
];

export const revisions: readonly string[] = listings.map(([revision]) => revision);

/** What the packages do not have: authorization, the tasks extension, skills. */
export const leftOut: readonly string[] = ["auth/", "tasks-", "sep-2640-"];

export function isLeftOut({ scenario }: Job): boolean {
  return leftOut.some((prefix) => scenario.startsWith(prefix));
}

/** All scenarios that the suite has for the revisions, scored or not. */
export function listJobs(suite: Suite): readonly Job[] {
  return listings.flatMap(([revision, option]) => {
    const roleOptions = option === "--requirements" ? [] : ["--server", "--client"];
    const list = execFileSync(suite.node, [suite.script, "list", ...roleOptions, option, revision], {
      encoding: "utf8",
    });
    const jobs = parse(list).map((one): Job => ({ revision, ...one }));
    if (jobs.length === 0) throw new Error(`The suite lists nothing for ${revision}:\n${list}`);
    return jobs;
  });
}

/** Reads a list of the suite: scenarios below the name of their role, or with their role behind. */
function parse(list: string): Pick<Job, "role" | "scenario">[] {
  let below: Role | undefined;
  return list.split("\n").flatMap((line) => {
    const [, heading] = /^(?:(Server|Client) scenarios|\S)/.exec(line) ?? [];
    if (/^\S/.test(line)) below = heading?.toLowerCase() as Role | undefined;
    const [, scenario, tag] = /^ +- (\S+)(?: \[([^\]]+)\])?$/.exec(line) ?? [];
    const role = roles.find((one) => one === tag) ?? below;
    return scenario !== undefined && role ? [{ role, scenario }] : [];
  });
}
