import type { ChildProcessByStdio, IOType, SpawnOptions } from "node:child_process";
import type { Readable, Stream, Writable } from "node:stream";
import { SdkError } from "../jsonrpc/errors.js";
import { getDefaultEnvironment } from "./default-environment.js";

/** The command that starts a server. */
export interface ServerCommand {
  /** The program: a path, or a name that is looked up in the PATH. It is not run in a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables in addition to those of `getDefaultEnvironment()`. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The destination of the server's standard error. With `"pipe"` you must read it from the transport's `stderr`, because
   * a server whose output is not read stops. Default: `"inherit"`, the standard error of this process.
   */
  readonly stderr?: IOType | Stream | number;
  /** The working directory. Default: the working directory of this process. */
  readonly cwd?: string;
}

export type ServerProcess = ChildProcessByStdio<Writable, Readable, Readable | null>;

/**
 * Starts a server's process.
 * @throws SdkError `NOT_CONNECTED` when the process cannot be started; `INVALID_CONFIGURATION` when a package is missing
 */
export async function spawnServer(server: ServerCommand): Promise<ServerProcess> {
  const { command, args = [], env, stderr = "inherit", cwd } = server;
  const start = process.platform === "win32" ? await crossSpawn() : await nodeSpawn();
  try {
    const child = start(command, args, {
      env: { ...getDefaultEnvironment(), ...env },
      stdio: ["pipe", "pipe", stderr],
      windowsHide: true,
      cwd,
    });
    return await new Promise((resolve, reject) => {
      child.once("error", reject).once("spawn", () => resolve(child.off("error", reject)));
    });
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const message = `Cannot start "${command}" in ${cwd ?? process.cwd()} (${reason}): check that the directory exists and that the command is installed, is executable and is found by its path or in the PATH`;
    throw new SdkError("NOT_CONNECTED", message, { command, cwd }, { cause });
  }
}

type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ServerProcess;

/** Imported on demand: servers load this module too, and would start a millisecond later. */
async function nodeSpawn(): Promise<Spawn> {
  return (await import("node:child_process")).spawn as Spawn;
}

/** On Windows most commands are scripts, such as npx.cmd, which Node starts only through a shell. */
async function crossSpawn(): Promise<Spawn> {
  // Not a literal, so that bundlers for other systems do not ask for it.
  const name = "cross-spawn";
  try {
    return ((await import(name)) as { default: Spawn }).default;
  } catch (cause) {
    const message = "Starting a server on Windows needs the package cross-spawn: npm install cross-spawn";
    throw new SdkError("INVALID_CONFIGURATION", message, undefined, { cause });
  }
}
