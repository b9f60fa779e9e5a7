import { defect, type Finding, obstacle } from "../finding.js";
import { manifestPath, type Package, whereToSet } from "../manifest.js";

/**
 * Checks the fields that `npm publish --provenance` requires, and those that link from the registry to the sources. The registry
 * compares `repository.url` with the repository in which the package was built. The check does not know that repository, so a
 * missing field is an obstacle to publishing, and an invalid one is a defect.
 */
export function provenanceFindings(packages: readonly Package[]): readonly Finding[] {
  const [first] = packages.flatMap(({ manifest }) => manifest.repository?.url ?? []);
  return packages.flatMap((one) => [...repositoryFindings(one, first), ...pageFindings(one), ...publishFindings(one)]);
}

function repositoryFindings(one: Package, first: string | undefined): readonly Finding[] {
  const where = `${manifestPath(one)}, repository`;
  const { repository } = one.manifest;
  const directory = one.folder === "." ? undefined : one.folder;
  if (!repository) {
    const value = {
      type: "git",
      url: "git+https://<host>/<owner>/<name>.git",
      ...(directory !== undefined && { directory }),
    };
    return [
      obstacle(
        where,
        "is missing: npm cannot state from which sources the package was built",
        `Add "repository": ${JSON.stringify(value)} in ${whereToSet(one)}.`,
      ),
    ];
  }
  const found: Finding[] = [];
  const { type, url = "" } = repository;
  if (type !== "git") found.push(defect(`${where}.type`, `is ${String(type)}`, `Write "git" in ${whereToSet(one)}.`));
  if (!/^git\+https:\/\/[\w.-]+(\/[\w.-]+){2,}\.git$/.test(url))
    found.push(
      defect(
        `${where}.url`,
        `is ${JSON.stringify(url)}`,
        "Write git+https://<host>/<owner>/<name>.git, in the same letter case as on the host.",
      ),
    );
  else if (url !== first)
    found.push(
      defect(
        `${where}.url`,
        `is ${url}, but ${String(first)} in another package`,
        "Write the same URL in all packages.",
      ),
    );
  if (repository.directory !== directory)
    found.push(
      defect(
        `${where}.directory`,
        repository.directory === undefined ? "is missing" : `is ${JSON.stringify(repository.directory)}`,
        directory === undefined
          ? "Remove it: this package is the repository's root."
          : `Write ${JSON.stringify(directory)} in ${whereToSet(one)}.`,
      ),
    );
  return found;
}

function pageFindings(one: Package): readonly Finding[] {
  const { homepage, bugs } = one.manifest;
  const pages = [
    ["homepage", homepage, '"homepage": "https://<host>/<owner>/<name>#readme"'],
    ["bugs", bugs?.url, '"bugs": { "url": "https://<host>/<owner>/<name>/issues" }'],
  ] as const;
  return pages.flatMap(([field, url, example]) => {
    const where = `${manifestPath(one)}, ${field}`;
    if (url === undefined)
      return [obstacle(where, "is missing: the registry cannot link to it", `Add ${example} in ${whereToSet(one)}.`)];
    return URL.canParse(url) && new URL(url).protocol === "https:"
      ? []
      : [defect(where, `${JSON.stringify(url)} is not an https URL`, `Write ${example} in ${whereToSet(one)}.`)];
  });
}

function publishFindings(one: Package): readonly Finding[] {
  const { license, publishConfig } = one.manifest;
  const where = manifestPath(one);
  const found: Finding[] = [];
  if (one.manifest.private === true)
    found.push(defect(`${where}, private`, "is true: npm does not publish private packages", "Remove it."));
  if (license !== "MIT")
    found.push(defect(`${where}, license`, `is ${String(license)}`, `Write "MIT" in ${whereToSet(one)}.`));
  // Both are also options of npm publish. In the manifest, they apply to every publisher.
  if (publishConfig?.access !== "public")
    found.push(
      defect(
        `${where}, publishConfig.access`,
        "is not public: npm would publish a scoped package as private",
        `Write "public" in ${whereToSet(one)}.`,
      ),
    );
  if (publishConfig?.provenance !== true)
    found.push(defect(`${where}, publishConfig.provenance`, "is not true", `Write true in ${whereToSet(one)}.`));
  return found;
}
