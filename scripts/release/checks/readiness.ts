import { type Finding, obstacle } from "../finding.js";

/** The working tree and the environment that a release is published from. */
export interface RepositoryState {
  /** The output of `git status --porcelain`. */
  readonly changes: string;
  /** The tags of the checked-out commit. */
  readonly tags: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Checks that the tree is clean, on the version's tag, and in a CI service for which npm can state provenance. */
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
        "Commit or stash them.",
      ),
    );
  if (!tags.includes(`v${version}`))
    found.push(
      obstacle(
        "git",
        `the commit is not tagged v${version}${tags.length > 0 ? `, but ${tags.join(", ")}` : ""}`,
        `Check out that tag; git tag v${version} creates it.`,
      ),
    );
  return [...found, ...runnerFindings(environment, repository)];
}

/** Checks that the CI service can issue the token from which npm states provenance. */
function runnerFindings(
  environment: RepositoryState["environment"],
  repository: string | undefined,
): readonly Finding[] {
  const where = "environment";
  const lacks = (variable: string): boolean => (environment[variable] ?? "") === "";
  if (environment["GITHUB_ACTIONS"] === "true") {
    if (lacks("ACTIONS_ID_TOKEN_REQUEST_URL") || lacks("ACTIONS_ID_TOKEN_REQUEST_TOKEN"))
      return [obstacle(where, "the workflow may not request a token", 'Give its job "permissions: id-token: write".')];
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
          "SIGSTORE_ID_TOKEN is not set",
          'Give the job id_tokens with the name SIGSTORE_ID_TOKEN and "aud: sigstore".',
        ),
      ];
    return sameRepository(environment["CI_PROJECT_URL"] ?? "", repository);
  }
  return [
    obstacle(
      where,
      "this is neither GitHub Actions nor GitLab CI: npm cannot state provenance",
      "Run it there; elsewhere, use --dry-run.",
    ),
  ];
}

function sameRepository(built: string, stated: string | undefined): readonly Finding[] {
  return stated === undefined || stated === `git+${built}.git`
    ? []
    : [
        obstacle(
          "environment",
          `this is ${built}, but the packages name ${stated}`,
          "The registry rejects that: correct repository.url, or publish from there.",
        ),
      ];
}
