import express, {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from "express";
import { type Options, rateLimit } from "express-rate-limit";
import type { ZodType, output } from "zod/v4";
import { allowAnyOrigin } from "../shared/resource-metadata.js";
import { InvalidRequestError, MethodNotAllowedError, OAuthError, ServerError, TooManyRequestsError } from "./errors.js";

/** The limit of requests of an endpoint: other options than the default ones, or none. */
export type EndpointRateLimit = Partial<Options> | false;

export interface EndpointOptions {
  readonly methods: string[];
  readonly body: "form" | "json";
  /** Whether scripts of other origins may use it. */
  readonly isOpen: boolean;
  /** How many requests of one address are answered within some minutes, by default. */
  readonly limit: { readonly requests: number; readonly minutes: number; readonly of: string };
  readonly rateLimit: EndpointRateLimit | undefined;
}

/** Returns a router that answers what no endpoint of OAuth accepts: other methods, unreadable bodies, too many requests. */
export function createEndpoint({ methods, body, isOpen, limit, rateLimit: given }: EndpointOptions): Router {
  const router = express.Router();
  router.use((_request, response, next) => {
    response.setHeader("Cache-Control", "no-store");
    next();
  });
  if (isOpen) router.use(openTo(methods));
  router.use(allowedMethods(methods));
  router.use(body === "json" ? express.json() : express.urlencoded({ extended: false }), refuseBody);
  if (given !== false) {
    const refusal = new TooManyRequestsError(`You have exceeded the rate limit for ${limit.of} requests`);
    router.use(
      rateLimit({
        windowMs: limit.minutes * 60_000,
        // An option `limit` of the program has priority over `max`.
        max: limit.requests,
        standardHeaders: true,
        legacyHeaders: false,
        message: refusal.toResponseObject(),
        ...given,
      }),
    );
  }
  return router;
}

/** Responds with 405 to other methods. */
export function allowedMethods(allowedMethods: string[]): RequestHandler {
  return (request, response, next) => {
    if (allowedMethods.includes(request.method)) {
      next();
      return;
    }
    const error = new MethodNotAllowedError(`The method ${request.method} is not allowed for this endpoint`);
    response.status(405).set("Allow", allowedMethods.join(", ")).json(error.toResponseObject());
  };
}

function openTo(methods: readonly string[]): RequestHandler {
  return (request, response, next) => {
    response.set(allowAnyOrigin(methods, request.method, request.get("access-control-request-headers")));
    if (request.method === "OPTIONS") response.status(204).end();
    else next();
  };
}

/** The errors of Express are pages that can show the stack. */
const refuseBody: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const { status, type } = Object(error) as { readonly status?: unknown; readonly type?: unknown };
  if (typeof status !== "number" || status < 400 || status >= 500 || typeof type !== "string") {
    next(error);
    return;
  }
  const refusal = new InvalidRequestError(`The body of the request cannot be read: ${type}`);
  response.status(status).json(refusal.toResponseObject());
};

/** Handles a request; an error becomes the response. */
export function answering(
  handle: (request: Request, response: Response, next: NextFunction) => Promise<void>,
): RequestHandler {
  return async (request, response, next) => {
    try {
      await handle(request, response, next);
    } catch (thrown) {
      if (response.headersSent) {
        next(thrown);
        return;
      }
      const error = toOAuthError(thrown);
      response.status(error instanceof ServerError ? 500 : 400).json(error.toResponseObject());
    }
  };
}

/** The error that a client may see. */
export function toOAuthError(thrown: unknown): OAuthError {
  return thrown instanceof OAuthError ? thrown : new ServerError("Internal Server Error");
}

/** Parses the parameters of a request. @throws OAuthError of the given class */
export function parseParams<Schema extends ZodType>(
  schema: Schema,
  value: unknown,
  Refusal: new (message: string) => OAuthError = InvalidRequestError,
): output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw new Refusal(error.message);
  return data;
}
