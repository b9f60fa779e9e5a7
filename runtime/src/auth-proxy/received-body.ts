import type { IncomingMessage } from "node:http";
import { readBody } from "../node/read-body.js";
import { OAuthFailure } from "./oauth-failure.js";

/**
 * Reads the body of a request as text, also when a framework has parsed it already.
 * @throws OAuthFailure when it is too large, late, or not UTF-8
 */
export async function receivedBody(
  request: IncomingMessage & { readonly body?: unknown },
  maxBytes: number,
): Promise<string> {
  const { body } = request;
  if (request.readableEnded) return body === undefined ? "" : toText(body, request.headers["content-type"] ?? "");
  if (request.destroyed) throw disconnected();
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    request.once("close", () => reject(disconnected()));
    readBody(request, maxBytes, {
      onBody: resolve,
      onTooLarge: () =>
        reject(
          new OAuthFailure(413, "invalid_request", `the body must not be larger than ${maxBytes} bytes`, {
            connection: "close",
          }),
        ),
      onLate: () =>
        reject(new OAuthFailure(408, "invalid_request", "the body did not arrive in time", { connection: "close" })),
    });
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new OAuthFailure(400, "invalid_request", "the body must be UTF-8");
  }
}

function disconnected(): OAuthFailure {
  return new OAuthFailure(400, "invalid_request", "the connection ended before the body was complete");
}

/** The text of a body that a framework has parsed. */
function toText(body: unknown, type: string): string {
  if (typeof body === "string") return body;
  if (Buffer.isBuffer(body)) return body.toString();
  if (!/^application\/x-www-form-urlencoded/i.test(type)) return JSON.stringify(body);
  const pairs = Object.entries(Object(body) as Record<string, unknown>).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((one) => [name, String(one)]),
  );
  return new URLSearchParams(pairs).toString();
}
