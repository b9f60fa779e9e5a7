export { RedisBackplane, redisBackplane, type RedisBackplaneOptions } from "./redis/redis-backplane.js";
export type { IoRedis, NodeRedis } from "./redis/redis-client.js";
