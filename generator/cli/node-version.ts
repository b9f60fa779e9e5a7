/** The oldest Node that runs mcpwright: what `engines` in package.json says. */
export const oldestNode = "20.19";

/** What to tell the users of a Node that is too old; undefined for any other. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `mcpwright needs Node ${oldestNode} or newer; this is ${version}.\nInstall a newer one from https://nodejs.org, or with a version manager: nvm install 22\n`;
}
