export { handlerStats, type HandlerStats } from "./operations/handler-stats.js";
export {
  healthChecks,
  type HealthChecks,
  type HealthChecksOptions,
  type NodeRequest,
  type NodeResponse,
  type NotReadyReason,
} from "./operations/health-checks.js";
export { serverStats, type ServerStats } from "./operations/server-stats.js";
