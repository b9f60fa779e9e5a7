/** @module tasks/redis */
export { RedisTaskStore, type RedisTaskStoreOptions } from "./redis/redis-task-store.js";
export type { IoRedis, NodeRedis } from "../redis/redis-client.js";
