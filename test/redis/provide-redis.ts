/** Starts a Redis server for all tests of a project. */
import type { TestProject } from "vitest/node";
import { RedisServer } from "./redis-server.js";

export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await RedisServer.start();
  provide("redisUrl", server.url);
  return () => server.remove();
}
