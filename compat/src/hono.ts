export { createMcpHonoApp } from "./hono/app.js";
export type { CreateMcpHonoAppOptions } from "./hono/app.js";
export {
  hostHeaderValidation,
  localhostHostValidation,
  localhostOriginValidation,
  originValidation,
} from "./hono/guards.js";
