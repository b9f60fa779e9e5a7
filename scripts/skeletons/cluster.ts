import { randomBytes } from "node:crypto";
import { RedisServer } from "../../test/redis/redis-server.js";
import { serve, type Served } from "./command.js";

/** Two nodes of a project, with a Redis of their own. */
export interface Nodes {
  readonly urls: readonly string[];
  readonly end: () => Promise<void>;
}

/** Starts two nodes of a built project, as its README says. */
export async function startNodes(folder: string): Promise<Nodes> {
  const redis = await RedisServer.start();
  const nodes: Served[] = [];
  const end = async (): Promise<void> => {
    for (const node of nodes) await node.end();
    await redis.remove();
  };
  try {
    const env = { REDIS_URL: redis.url, STATE_KEY: randomBytes(32).toString("base64") };
    for (const name of ["one", "two"])
      nodes.push(await serve([process.execPath, "build/main.js", "0"], folder, { ...env, NODE_NAME: name }));
    return { urls: nodes.map(({ url }) => url), end };
  } catch (error) {
    await end();
    throw error;
  }
}
