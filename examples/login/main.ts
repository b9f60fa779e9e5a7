import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { callAsService } from "./service.js";
import { callAsUser } from "./user.js";

/** Starts an authorization server and a protected MCP server on this computer. @returns the URL of the MCP server */
async function startServers(): Promise<readonly [ChildProcess, string]> {
  const program = fileURLToPath(new URL("../../test/auth-server/main.ts", import.meta.url));
  const servers = spawn(process.execPath, [...process.execArgv, program], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const url of createInterface({ input: servers.stdout })) return [servers, url];
  throw new Error("the servers did not start");
}

const folder = await mkdtemp(join(tmpdir(), "login-example-"));
const [servers, url] = await startServers();
try {
  console.log("A user, who logs in with any name and password:");
  for (let times = 1; times <= 2; times++)
    for (const text of await callAsUser(url, join(folder, "credentials.json"))) console.log(`  ${text}`);
  console.log("A service:");
  console.log(`  ${await callAsService(url, "report", "report-secret")}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  servers.kill();
  await rm(folder, { recursive: true });
}
