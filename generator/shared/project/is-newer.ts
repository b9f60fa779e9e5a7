import semver from "semver";

/** Whether a version is newer than another one, by the rules of semver. Nothing is newer than a text that is not a version. */
export function isNewer(version: string, other: string): boolean {
  return semver.valid(version) !== null && semver.valid(other) !== null && semver.gt(version, other);
}
