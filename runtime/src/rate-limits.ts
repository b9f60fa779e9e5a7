export { limitRequests, type RequestRefusal } from "./rate-limits/limit-requests.js";
export type { LimitedRequest } from "./rate-limits/limited-request.js";
export type { RateLimiter } from "./rate-limits/rate-limiter.js";
export { rateLimits, type RateLimit, type RateLimitsOptions } from "./rate-limits/rate-limits.js";
