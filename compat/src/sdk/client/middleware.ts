export {
  applyMiddlewares,
  createMiddleware,
  withLogging,
  withOAuth,
  type LoggingOptions,
  type Middleware,
  type RequestLogger,
} from "../../client/middleware.js";
