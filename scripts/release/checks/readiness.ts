import { type Finding, obstacle } from "../finding.js";

/** Where a release would be published from. */
export interface RepositoryState {
  /** What `git status --porcelain` prints. */
  readonly changes: string;
  /** The tags of the commit that is checked out. */
  readonly tags: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Only a clean tree, on the version's tag, in a place that npm can vouch for. */
export function readinessFindings(
  { changes, tags, environment }: RepositoryState,
  version: string,
  repository: string | undefined,
): readonly Finding[] {
  const found: Finding[] = [];
  const changed = changes.split("\n").filter((line) => line.trim() !== "");
  if (changed.length > 0)
    found.push(
      obstacle(
        "git",
        `${changed.length} files are changed or new, such as ${(changed[0] ?? "").slice(3)}`,
        "Commit them, or put them away.",
      ),
    );
  if (!tags.includes(`v${version}`))
    found.push(
      obstacle(
        "git",
        `the commit is not tagged v${version}${tags.length > 0 ? `, but ${tags.join(", ")}` : ""}`,
        `Check out that tag; make it with git tag v${version}.`,
      ),
    );
  return [...found, ...runnerFindings(environment, repository)];
}

/** npm takes its statement from the runner, which proves by a token who it is. */
function runnerFindings(
  environment: RepositoryState["environment"],
  repository: string | undefined,
): readonly Finding[] {
  const where = "environment";
  const lacks = (variable: string): boolean => (environment[variable] ?? "") === "";
  if (environment["GITHUB_ACTIONS"] === "true") {
    if (lacks("ACTIONS_ID_TOKEN_REQUEST_URL") || lacks("ACTIONS_ID_TOKEN_REQUEST_TOKEN"))
      return [obstacle(where, "the workflow may not ask for a token", 'Give its job "permissions: id-token: write".')];
    return sameRepository(
      `${environment["GITHUB_SERVER_URL"] ?? ""}/${environment["GITHUB_REPOSITORY"] ?? ""}`,
      repository,
    );
  }
  if (environment["GITLAB_CI"] === "true") {
    if (lacks("SIGSTORE_ID_TOKEN"))
      return [
        obstacle(
          where,
          "there is no SIGSTORE_ID_TOKEN",
          'Give the job id_tokens with the name SIGSTORE_ID_TOKEN and "aud: sigstore".',
        ),
      ];
    return sameRepository(environment["CI_PROJECT_URL"] ?? "", repository);
  }
  return [
    obstacle(
      where,
      "this is no GitHub Actions and no GitLab CI: npm can state no provenance",
      "Run it there; --dry-run is for everywhere else.",
    ),
  ];
}

function sameRepository(built: string, stated: string | undefined): readonly Finding[] {
  return stated === undefined || stated === `git+${built}.git`
    ? []
    : [
        obstacle(
          "environment",
          `this is ${built}, but the packages say ${stated}`,
          "The registry refuses that: correct repository.url, or publish from there.",
        ),
      ];
}
