/** Runs the server scenarios once more through a gateway before the fixture server. */
import { join } from "node:path";
import { type FixtureServer, startFixture, startFixtureServer } from "./fixture-server.js";
import { builtFixtures } from "./paths.js";
import { runServerScenarios, type TogetherSubject } from "./run-together.js";

/** How the gateway reaches the fixture server. */
export const links = ["stdio", "http"] as const;
export type Link = (typeof links)[number];

/** The scenarios that cannot pass through a gateway, and the reason in the specification. */
export const excuses = {
  "server-sse-polling":
    "the tool closes the HTTP stream to its own client, which is the gateway; each server decides when it closes its own streams (MCP 2025-11-25, transports: sending messages)",
};

/** Starts a gateway, and the fixture server behind it. */
export async function startGateway(results: string, link: Link): Promise<TogetherSubject> {
  const servers: FixtureServer[] = [];
  const end = async (): Promise<void> => {
    for (const server of servers.reverse()) await server.end();
  };
  const log = (name: string): string => join(results, `gateway-${link}-${name}.txt`);
  try {
    let args = ["--", process.execPath, join(builtFixtures, "server.js"), "--transport", "stdio"];
    if (link === "http") {
      const server = await startFixtureServer(log("server"));
      servers.push(server);
      args = ["--url", server.url];
    }
    const gateway = await startFixture("gateway", log("itself"), args);
    servers.push(gateway);
    const { url } = gateway;
    return {
      excuses,
      end,
      run: (suite, revision, jobs) =>
        runServerScenarios(suite, revision, jobs, { url, folder: join(results, `gateway-${link}-${revision}`) }),
    };
  } catch (error) {
    await end();
    throw error;
  }
}
