export { createMcpFastifyApp } from "./fastify/app.js";
export type { CreateMcpFastifyAppOptions } from "./fastify/app.js";
export {
  hostHeaderValidation,
  localhostHostValidation,
  localhostOriginValidation,
  originValidation,
} from "./fastify/guards.js";
