/** Connections of a test to a Redis server; they end with the test. */
import { createClient } from "redis";
import { onTestFinished } from "vitest";
import { redisBackplane, type RedisBackplane, type RedisBackplaneOptions } from "../../runtime/src/redis.js";

export async function openClient(url: string) {
  const client = createClient({ url });
  await client.on("error", () => undefined).connect();
  onTestFinished(() => client.destroy());
  return client;
}

/** Opens a backplane with a connection of its own. */
export async function openBackplane(url: string, options?: RedisBackplaneOptions): Promise<RedisBackplane> {
  const backplane = redisBackplane(await openClient(url), options);
  // Before the connection: what was registered last is called first.
  onTestFinished(() => backplane.close());
  return backplane;
}
