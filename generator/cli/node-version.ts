/** The oldest supported version of Node, equal to `engines` in package.json. */
export const oldestNode = "20.19";

/** The error message for a version of Node that is too old; otherwise undefined. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `mcpwright requires Node ${oldestNode} or newer; this is ${version}.\nInstall a newer one from https://nodejs.org, or with a version manager: nvm install 22\n`;
}
