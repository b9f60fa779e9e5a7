import { execFileSync } from "node:child_process";
import type { Suite } from "./suite.js";

export const roles = ["server", "client"] as const;
export type Role = (typeof roles)[number];

/** One scenario of the suite in one revision. */
export interface Job {
  readonly role: Role;
  readonly revision: string;
  readonly scenario: string;
}

/** The option that lists the scenarios of a revision: the required ones, or for older revisions all that apply to them. */
const listings: readonly (readonly [revision: string, option: "--requirements" | "--spec-version"])[] = [
  ["2026-07-28", "--requirements"],
  ["2025-11-25", "--requirements"],
  ["2025-06-18", "--spec-version"],
  ["2025-03-26", "--spec-version"],
];

export const revisions: readonly string[] = listings.map(([revision]) => revision);

/** Prefixes of scenarios for features that the packages do not implement: authorization, the tasks extension, skills. */
export const leftOut: readonly string[] = ["auth/", "tasks-", "sep-2640-"];

export function isLeftOut({ scenario }: Job): boolean {
  return leftOut.some((prefix) => scenario.startsWith(prefix));
}

/** All scenarios of the suite for the revisions, also those without a score. */
export function listJobs(suite: Suite): readonly Job[] {
  return listings.flatMap(([revision, option]) => {
    const roleOptions = option === "--requirements" ? [] : ["--server", "--client"];
    const list = execFileSync(suite.node, [suite.script, "list", ...roleOptions, option, revision], {
      encoding: "utf8",
    });
    const jobs = parse(list).map((one): Job => ({ revision, ...one }));
    if (jobs.length === 0) throw new Error(`the suite lists no scenario for ${revision}:\n${list}`);
    return jobs;
  });
}

/** Parses a list of the suite. Scenarios follow the name of their role, or precede it in the same line. */
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
