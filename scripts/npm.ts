import { dirname, join } from "node:path";

/**
 * The program and arguments that run npm without a shell. On Windows npm is a script, `npm.cmd`, which Node starts only with a shell, so
 * Node runs the code of npm itself: that of the npm which started this process, or that beside Node.
 */
export function npmCommand(
  args: readonly string[],
  {
    platform = process.platform,
    env = process.env,
    execPath = process.execPath,
  }: { readonly platform?: NodeJS.Platform; readonly env?: NodeJS.ProcessEnv; readonly execPath?: string } = {},
): readonly [program: string, args: readonly string[]] {
  if (platform !== "win32") return ["npm", args];
  const started = env["npm_execpath"];
  const code =
    started !== undefined && /npm-cli\.[cm]?js$/.test(started)
      ? started
      : join(dirname(execPath), "node_modules/npm/bin/npm-cli.js");
  return [execPath, [code, ...args]];
}

/** The program and arguments that run a tool from `node_modules` of the repository. @param bin the path of its code in there */
export function toolCommand(root: string, bin: string, args: readonly string[]): readonly [string, readonly string[]] {
  return [process.execPath, [join(root, "node_modules", bin), ...args]];
}
