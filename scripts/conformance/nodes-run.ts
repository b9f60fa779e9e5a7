/** Runs the server scenarios once more against several nodes of the fixture server, which share a Redis. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { RedisServer } from "../../test/redis/redis-server.js";
import { startRoundRobin } from "../reverse-proxy.js";
import { startFixtureServer } from "./fixture-server.js";
import { runServerScenarios, type TogetherSubject } from "./run-together.js";

/** Starts a Redis, the nodes, and a proxy that passes each request to the next node. */
export async function startNodes(results: string, count: number): Promise<TogetherSubject> {
  const ends: (() => Promise<void>)[] = [];
  const end = async (): Promise<void> => {
    for (const one of ends.reverse()) await one();
  };
  try {
    const redis = await RedisServer.start();
    ends.push(() => redis.remove());
    const shared = ["--redis", redis.url, "--state-key", randomBytes(32).toString("hex")];
    const nodes = await Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const node = await startFixtureServer(join(results, `node-${at + 1}.txt`), shared);
        ends.push(() => node.end());
        return node;
      }),
    );
    const proxy = await startRoundRobin(nodes);
    ends.push(() => proxy.end());
    const url = `${proxy.origin}/mcp`;
    return {
      end,
      run: (suite, revision, jobs) =>
        runServerScenarios(suite, revision, jobs, { url, folder: join(results, `nodes-${revision}`) }),
    };
  } catch (error) {
    await end();
    throw error;
  }
}
