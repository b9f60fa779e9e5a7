import { redisBackplane } from "@mcpwright/runtime/redis";
import { RedisTaskStore } from "@mcpwright/runtime/tasks/redis";
import type { SharedState } from "./fixture.js";

/** Connects a node to the state that it shares with others. @param key of `requestState`, in hexadecimal digits */
export async function stateInRedis(url: string, key: string): Promise<SharedState> {
  const { createClient } = await import("redis");
  const client = createClient({ url });
  await client.on("error", (error) => void process.stderr.write(`${String(error)}\n`)).connect();
  return {
    backplane: redisBackplane(client),
    stateKeys: [{ id: "shared", key: Buffer.from(key, "hex") }],
    taskStore: new RedisTaskStore(client),
  };
}
