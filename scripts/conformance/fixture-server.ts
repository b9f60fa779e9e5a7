import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { builtFixtures, root } from "./paths.js";

export interface FixtureServer {
  readonly url: string;
  readonly end: () => Promise<void>;
}

/**
 * Starts the fixture server on a free local port. It logs to a file, because the suite sends invalid messages on purpose.
 * @param options options of the server, such as `--issuer` and a URL
 */
export function startFixtureServer(log: string, options: readonly string[] = []): Promise<FixtureServer> {
  return startFixture("server", log, ["--transport", "http", "--port", "0", ...options]);
}

/**
 * Starts a fixture that prints the URL at which it serves HTTP.
 * @param name that of its built script
 * @param log the file for its standard error
 */
export async function startFixture(name: string, log: string, args: readonly string[]): Promise<FixtureServer> {
  const child = spawn(process.execPath, [join(builtFixtures, `${name}.js`), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr.pipe(createWriteStream(log));
  const exit = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const url = await Promise.race([once(lines, "line"), exit]).then(([first]) => first as unknown);
  if (typeof url !== "string") throw new Error(`the fixture ${name} exited without a URL; see ${log}`);
  return {
    url,
    end: async () => {
      child.kill();
      const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await exit;
      clearTimeout(timer);
    },
  };
}
