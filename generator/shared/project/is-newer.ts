/** Whether a version is newer than another one. A release is newer than its prereleases. */
export function isNewer(version: string, other: string): boolean {
  const [a, b] = [parts(version), parts(other)];
  const index = a.findIndex((part, at) => part !== b[at]);
  return index >= 0 && (a[index] ?? 0) > (b[index] ?? 0);
}

function parts(version: string): readonly number[] {
  const [numbers = "", preview] = version.split("-", 2);
  return [...numbers.split(".").map(Number), preview === undefined ? 1 : 0];
}
