/** Keeps the results of whole runs in docs/reference/conformance.md, and their sums in README.md. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { format } from "prettier";
import { excuses } from "./gateway-run.js";
import { readmePath, reportPath } from "./paths.js";
import { grid } from "./report.js";
import { type Job, leftOut, nameOf, type Revision, revisions, type Role, roles } from "./scenarios.js";
import type { Verdict } from "./verdict.js";

/** Writes the results of a run of all scenarios. */
export async function writeDocuments(verdicts: readonly Verdict[], version: string): Promise<void> {
  for (const [path, text] of await documents(verdicts, version)) writeFileSync(path, text);
}

/** Returns the names of the documents that differ from the results of a run of all scenarios. */
export async function outdatedDocuments(verdicts: readonly Verdict[], version: string): Promise<readonly string[]> {
  const texts = await documents(verdicts, version);
  return texts.filter(([path, text]) => !existsSync(path) || readFileSync(path, "utf8") !== text).map(([path]) => path);
}

async function documents(
  verdicts: readonly Verdict[],
  version: string,
): Promise<readonly (readonly [path: string, text: string])[]> {
  const options = { parser: "markdown", printWidth: 120 } as const;
  return [
    [reportPath, await format(page(verdicts, version), options)],
    [readmePath, await format(withSums(readFileSync(readmePath, "utf8"), verdicts), options)],
  ];
}

function page(verdicts: readonly Verdict[], version: string): string {
  const omitted = Object.entries(leftOut).map(([prefix, why]) => `\`${prefix}\`, because ${why}`);
  const excused = Object.entries(excuses)
    .map(([scenario, why]) => `\`${scenario}\`, because ${why}`)
    .join("; ");
  return `<!-- Written by \`npm run conformance -- --write\` from the results of the run. -->

# Conformance

Look up here which scenarios of the official conformance suite (\`@modelcontextprotocol/conformance\` ${version}) mcpwright passes. To run
them again:

\`\`\`sh
npm run conformance
\`\`\`

A scenario passes if all its checks do, without a warning. The scenarios for servers run a second time with authorization on, and with
\`--nodes 3\` a third time at three nodes with Redis, behind a proxy that passes each request to the next node. With \`--gateway stdio\` or
\`--gateway http\`, they run through a gateway before the server, and have the same results but for ${excused}. Not run: ${omitted.join("; ")}.
The suite has no scenario for 2024-11-05.

${sums(verdicts)}

${roles.map((role) => `## ${titles[role]}\n\n${scenarios(verdicts, role)}`).join("\n\n")}
`;
}

const titles: Readonly<Record<Role, string>> = {
  server: "Servers",
  client: "Clients",
  authorization: "Authorization servers",
};

/** How many scenarios pass, by role and revision. */
function sums(verdicts: readonly Verdict[]): string {
  const rows = roles.map((role) => [
    titles[role],
    ...revisions.map((revision) => {
      const some = verdicts.filter(({ job }) => job.role === role && job.revision === revision);
      return some.length === 0 ? "" : `${some.filter(passes).length} of ${some.length}`;
    }),
  ]);
  return grid([["scenarios that pass", ...revisions], ...rows]);
}

function scenarios(verdicts: readonly Verdict[], role: Role): string {
  const jobs = verdicts.filter(({ job }) => job.role === role);
  const names = [...new Set(jobs.map(({ job }) => nameOf(job)))].sort();
  const rows = names.map((name) => [name, ...revisions.map((revision) => cell(jobs, name, revision))]);
  return grid([["scenario", ...revisions], ...rows]);
}

function cell(verdicts: readonly Verdict[], name: string, revision: Revision): string {
  const isOf = (job: Job): boolean => nameOf(job) === name && job.revision === revision;
  const verdict = verdicts.find(({ job }) => isOf(job));
  return verdict ? (passes(verdict) ? "passes" : "fails") : "";
}

function passes({ problems }: Verdict): boolean {
  return problems.length === 0;
}

const [begin, end] = ["<!-- conformance: written by `npm run conformance -- --write` -->", "<!-- /conformance -->"];

function withSums(readme: string, verdicts: readonly Verdict[]): string {
  const [start, stop] = [readme.indexOf(begin), readme.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`${readmePath} has no place for the sums: ${begin} … ${end}`);
  return `${readme.slice(0, start + begin.length)}\n\n${sums(verdicts)}\n\n${readme.slice(stop)}`;
}
