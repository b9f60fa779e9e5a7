import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** Starts a program that serves over HTTP, until the test ends. Resolves when it responds. */
export async function startProgram(path: string, url: URL): Promise<void> {
  const child = spawn(process.execPath, [path], { cwd: dirname(path), stdio: ["ignore", "ignore", "inherit"] });
  const exit = once(child, "exit");
  onTestFinished(async () => {
    child.kill();
    await exit;
  });
  for (;;) {
    const responds = await fetch(url).then(
      () => true,
      () => false,
    );
    if (responds) return;
    if (child.exitCode !== null) throw new Error(`${path} ended with ${child.exitCode}`);
    await setTimeout(50);
  }
}
