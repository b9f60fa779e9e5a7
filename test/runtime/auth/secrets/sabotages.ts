import type { SeenRequest } from "../fake-network.js";
import type { Sabotage } from "./scene.js";

/** All that a server knows of a request, as servers that are not careful repeat it. */
function echo({ method, url, headers, body }: SeenRequest): string {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url.href}`, ...lines, body].join(" ");
}

/** What can go wrong with a response. */
export const sabotages: Readonly<Record<string, Sabotage>> = {
  "no connection": () => {
    throw new TypeError("fetch failed");
  },

  "a connection error that repeats the request": (request) => {
    // Errors of the MCP server's connection keep the error of `fetch` as their cause.
    const text = /^(Bearer|DPoP) /.test(request.headers.get("authorization") ?? "") ? "" : echo(request);
    throw new TypeError(`fetch failed: ${text}`, { cause: new Error(text) });
  },

  "an error page that repeats the request": (request) =>
    new Response(`<pre>${echo(request)}</pre>`, { status: 500, headers: { "content-type": "text/html" } }),

  "an OAuth error that repeats the request": (request) =>
    Response.json(
      { error: "invalid_request", error_description: echo(request), error_uri: request.url.href },
      { status: 400 },
    ),

  "an OAuth error whose code repeats the request": (request) =>
    Response.json({ error: echo(request) }, { status: 401 }),

  "a challenge that repeats the request": (request) => {
    const text = echo(request)
      .replaceAll('"', "'")
      .replace(/[^ -~]/g, " ");
    const challenge = `Bearer error="insufficient_scope", scope="admin", error_description="${text}"`;
    return new Response(null, { status: 403, headers: { "www-authenticate": challenge } });
  },

  "a redirect that repeats the request": (request) =>
    new Response(null, {
      status: 307,
      headers: { location: `https://elsewhere.example/?${new URLSearchParams({ code: echo(request) }).toString()}` },
    }),

  "the response cut off": async (_request, real) => copy(real, (text) => text.slice(0, -7)),

  "the response with status 500": async (_request, real) =>
    new Response(await real.text(), { status: 500, headers: real.headers }),

  "the response as a web page": async (_request, real) =>
    new Response(await real.text(), { status: real.status, headers: { "content-type": "text/html" } }),

  "the response with line breaks in its strings": async (_request, real) =>
    copy(real, (text) => text.replaceAll(/":"([^"]+)"/g, '":"$1\\n"')),

  "the response with its strings as numbers of other members": async (_request, real) =>
    copy(real, (text) => text.replace("token_type", "kind").replace(/"expires_in":\d+/, '"expires_in":"soon"')),

  "the response with the type of token that is the token": async (_request, real) =>
    copy(real, (text) => text.replace(/("access_token":("[^"]+"),"token_type":)"[^"]+"/, "$1$2")),
};

async function copy(real: Response, change: (text: string) => string): Promise<Response> {
  const text = await real.text();
  if (text === "") return new Response(null, real);
  return new Response(change(text), { status: real.status, headers: real.headers });
}
