import type { FetchLike } from "../../../../runtime/src/http-client/fetch-like.js";

/** What a URL responds with: a JSON document, a response, or a failure. */
export type Reply = object | (() => Response | Promise<Response>) | Error;

export interface FakeNetwork {
  readonly fetch: FetchLike;
  /** The URLs of the requests, in order. */
  readonly requests: readonly string[];
  /** The headers of the requests, in order. */
  readonly headers: readonly Headers[];
  readonly inits: readonly RequestInit[];
}

/** A network in which only these URLs exist. The others respond with 404. */
export function fakeNetwork(replies: Readonly<Record<string, Reply>>): FakeNetwork {
  const requests: string[] = [];
  const headers: Headers[] = [];
  const inits: RequestInit[] = [];
  const fetch: FetchLike = async (url, init) => {
    requests.push(url.href);
    headers.push(new Headers(init.headers));
    inits.push(init);
    const reply = replies[url.href];
    if (reply instanceof Error) throw reply;
    if (typeof reply === "function") return (reply as () => Response | Promise<Response>)();
    return reply ? Response.json(reply) : new Response("Not Found", { status: 404 });
  };
  return { fetch, requests, headers, inits };
}

export const status = (code: number) => () => new Response(null, { status: code });

export const redirect =
  (location: string, code = 302) =>
  () =>
    new Response(null, { status: code, headers: { location } });

/** Metadata of an authorization server whose endpoints are below its issuer. */
export function serverMetadata(issuer: string, more: object = {}): object {
  const base = issuer.replace(/\/$/, "");
  return {
    issuer,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    ...more,
  };
}
