import { defect, type Finding } from "../finding.js";
import { isAlias, manifestPath, type Package, whereToSet } from "../manifest.js";

const semver = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$/;

/** Checks that the packages have one version, except aliases, and depend on exactly that version of each other. */
export function versionFindings(packages: readonly Package[]): readonly Finding[] {
  const version = packages.find(({ folder }) => folder === ".")?.manifest.version ?? "";
  const ours = new Set(packages.map(({ manifest }) => manifest.name));
  return packages.flatMap((one) => {
    const { manifest } = one;
    const where = manifestPath(one);
    const found: Finding[] = [];
    if (!semver.test(manifest.version))
      found.push(
        defect(`${where}, version`, `${manifest.version} is not a version`, "Write major.minor.patch, such as 1.0.0."),
      );
    else if (manifest.version !== version && !isAlias(one))
      found.push(
        defect(
          `${where}, version`,
          `is ${manifest.version}, but mcpwright is ${version}`,
          `Set it to ${version} in ${whereToSet(one)}.`,
        ),
      );
    for (const [kind, dependencies] of [
      ["dependencies", manifest.dependencies],
      ["devDependencies", manifest.devDependencies],
      ["peerDependencies", manifest.peerDependencies],
    ] as const)
      for (const [name, range] of Object.entries(dependencies ?? {}))
        if (ours.has(name) && range !== version)
          found.push(defect(`${where}, ${kind}`, `requires ${name} ${range}`, `Require exactly ${version}.`));
    return found;
  });
}
