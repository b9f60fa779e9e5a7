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
export async function startFixtureServer(log: string, options: readonly string[] = []): Promise<FixtureServer> {
  const script = join(builtFixtures, "server.js");
  const child = spawn(process.execPath, [script, "--transport", "http", "--port", "0", ...options], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr.pipe(createWriteStream(log));
  const exit = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const url = await Promise.race([once(lines, "line"), exit]).then(([first]) => first as unknown);
  if (typeof url !== "string") throw new Error(`the fixture server exited without a URL; see ${log}`);
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
