import semver from "semver";

/**
 * Whether a version is in a range of npm, such as `^1.2.0`, `>=20.19` or `18.x || 20.x`.
 * @returns undefined for a range that is not understood, such as a tag or a URL
 */
export function isInRange(version: string, range: string): boolean | undefined {
  if (semver.valid(version) === null || semver.validRange(range) === null) return undefined;
  // As npm does for `engines`: a prerelease of Node is in the range of its release.
  return semver.satisfies(version, range, { includePrerelease: true });
}
