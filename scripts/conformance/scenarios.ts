import { execFileSync } from "node:child_process";
import type { Suite } from "./suite.js";

/** The roles that the suite tests; `authorization` is an authorization server. */
export const roles = ["server", "client", "authorization"] as const;
export type Role = (typeof roles)[number];

/** One scenario of the suite in one revision. */
export interface Job {
  readonly role: Role;
  readonly revision: Revision;
  readonly scenario: string;
  /** Makes the fixture client go through the scenario in another way; an option of it. */
  readonly variant?: string;
}

/** Scenarios that run once more, with an option for the fixture client. */
const variants: Readonly<Record<string, string>> = { "auth/authorization-server-migration": "restart" };

export function nameOf({ scenario, variant }: Pick<Job, "scenario" | "variant">): string {
  return variant === undefined ? scenario : `${scenario} (${variant})`;
}

/** The option that lists the scenarios of a revision: the required ones, or for older revisions all that apply to them. */
const listings = {
  "2026-07-28": "--requirements",
  "2025-11-25": "--requirements",
  "2025-06-18": "--spec-version",
  "2025-03-26": "--spec-version",
} as const;
export type Revision = keyof typeof listings;

export const revisions = Object.keys(listings) as readonly Revision[];

/** The option of the suite that selects all scenarios of a revision. */
export function listingOf(revision: Revision): (typeof listings)[Revision] {
  return listings[revision];
}

/** Prefixes of the scenarios that are not run, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  "tasks-status-notifications": "the suite skips it",
};

/** Prefixes of the scenarios of extensions that no requirements contain, and the revisions in which they are run. */
const unrequired: Readonly<Record<string, readonly Revision[]>> = { "sep-2640-": ["2026-07-28", "2025-11-25"] };

/** Whether no listing of the job's revision contains its scenario, so that it has to be named. */
export function isUnrequired({ scenario }: Job): boolean {
  return Object.keys(unrequired).some((prefix) => scenario.startsWith(prefix));
}

export function isLeftOut({ scenario }: Job): boolean {
  return Object.keys(leftOut).some((prefix) => scenario.startsWith(prefix));
}

/** All scenarios of the suite for the revisions, also those without a score. */
export function listJobs(suite: Suite): readonly Job[] {
  const list = (...options: readonly string[]): string =>
    execFileSync(suite.node, [suite.script, "list", ...options], { encoding: "utf8" });
  const all = parse(list());
  return revisions.flatMap((revision) => {
    const option = listingOf(revision);
    // The requirements do not contain the scenarios for authorization servers.
    const lists: readonly (readonly string[])[] =
      option === "--requirements"
        ? [
            [option, revision],
            ["--authorization", "--spec-version", revision],
          ]
        : [["--server", "--client", "--authorization", option, revision]];
    const text = lists.map((options) => list(...options)).join("");
    const listed = parse(text);
    if (listed.length === 0) throw new Error(`the suite lists no scenario for ${revision}:\n${text}`);
    const further = all.filter(({ scenario }) =>
      Object.entries(unrequired).some(([prefix, some]) => scenario.startsWith(prefix) && some.includes(revision)),
    );
    const jobs = [...listed, ...further].map((one): Job => ({ revision, ...one }));
    return jobs.flatMap((job) => {
      const variant = variants[job.scenario];
      return variant === undefined ? [job] : [job, { ...job, variant }];
    });
  });
}

/** Parses a list of the suite. Scenarios follow the name of their role, or precede it in the same line. */
function parse(list: string): Pick<Job, "role" | "scenario">[] {
  let below: Role | undefined;
  return list.split("\n").flatMap((line) => {
    const [, heading] = /^(?:(Server|Client|Authorization)(?: server)? scenarios|\S)/.exec(line) ?? [];
    if (/^\S/.test(line)) below = heading?.toLowerCase() as Role | undefined;
    const [, scenario, tag] = /^ +- (\S+)(?: \[([^\]]+)\])?$/.exec(line) ?? [];
    const role = roles.find((one) => one === tag) ?? below;
    return scenario !== undefined && role ? [{ role, scenario }] : [];
  });
}
