import { once } from "node:events";
import { request as send } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import {
  loopbackRedirect,
  type LoopbackRedirect,
  type LoopbackRedirectOptions,
} from "../../../runtime/src/auth-node.js";
import { AuthorizationError } from "../../../runtime/src/auth.js";

const never = new AbortController().signal;

async function withRedirect(
  work: (redirect: LoopbackRedirect) => Promise<void>,
  options?: LoopbackRedirectOptions,
): Promise<void> {
  const redirect = await loopbackRedirect(options);
  try {
    await work(redirect);
  } finally {
    await redirect.end(new Error("the test has ended"));
  }
}

const refused = (url: string): Promise<void> =>
  expect(fetch(url)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });

test("the page waits for the outcome, and the server ends with it", () =>
  withRedirect(
    async (redirect) => {
      expect(redirect.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
      const callback = redirect.callback("s1", never);
      const page = fetch(`${redirect.redirectUri}?code=c1&state=s1&iss=https%3A%2F%2Fas.example`);
      expect((await callback).href).toBe(`${redirect.redirectUri}?code=c1&state=s1&iss=https%3A%2F%2Fas.example`);
      const ended = redirect.end("success");
      const response = await page;
      const text = await response.text();
      await ended;
      expect(response.status).toBe(200);
      expect(text).toContain("<h1>You are logged in</h1>");
      expect(text).toContain("return to Notes &#38; &#60;b&#62;.");
      expect(text).not.toMatch(/c1|s1|<script/);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "content-security-policy": expect.stringContaining("default-src 'none'") as string,
      });
      await refused(redirect.redirectUri);
    },
    { clientName: "Notes & <b>" },
  ));

test.each<[string, Error, number, string]>([
  [
    "a refusal",
    new AuthorizationError("denied", "the server says: <script>alert(1)</script>"),
    200,
    "You were not logged in",
  ],
  [
    "a failure",
    new AuthorizationError("token-refused", "the token endpoint refused the code"),
    400,
    "The log-in has failed",
  ],
])("the page shows %s", (_, error, status, title) =>
  withRedirect(async (redirect) => {
    const callback = redirect.callback("s1", never);
    const page = fetch(`${redirect.redirectUri}?error=access_denied&state=s1`);
    await callback;
    await redirect.end(error);
    const response = await page;
    const text = await response.text();
    expect(response.status).toBe(status);
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(text).not.toContain("<script>");
  }),
);

test.each<[string, string, RequestInit, number]>([
  ["another path", "/other?code=c&state=s1", {}, 404],
  ["a path below", "/callback/x?code=c&state=s1", {}, 404],
  ["another method", "/callback?code=c&state=s1", { method: "POST" }, 404],
  ["HEAD", "/callback?code=c&state=s1", { method: "HEAD" }, 404],
  ["no parameters", "/callback", {}, 400],
  ["no code", "/callback?state=s1", {}, 400],
  ["no state", "/callback?code=c", {}, 400],
  ["another state", "/callback?code=c&state=s2", {}, 400],
  ["an error with another state", "/callback?error=access_denied&state=", {}, 400],
  ["two states", "/callback?code=c&state=s1&state=s1", {}, 400],
  ["two codes", "/callback?code=c&code=d&state=s1", {}, 400],
  ["code and error", "/callback?code=c&error=e&state=s1", {}, 400],
  ["the favicon", "/favicon.ico", {}, 404],
])("a request with %s does not end the wait", (_, path, init, status) =>
  withRedirect(async (redirect) => {
    const callback = redirect.callback("s1", never);
    const origin = new URL(redirect.redirectUri).origin;
    expect((await fetch(`${origin}${path}`, init)).status).toBe(status);
    const page = fetch(`${redirect.redirectUri}?code=right&state=s1`);
    expect((await callback).searchParams.get("code")).toBe("right");
    // The same request again, for example a reload.
    expect((await fetch(`${redirect.redirectUri}?code=right&state=s1`)).status).toBe(400);
    await redirect.end("success");
    expect((await page).status).toBe(200);
  }),
);

test("a request for another host gets no answer but 404", () =>
  withRedirect(async (redirect) => {
    const callback = redirect.callback("s1", never);
    const url = `${redirect.redirectUri}?code=c&state=s1`;
    for (const host of ["attacker.example", `localhost:${new URL(url).port}`, "127.0.0.1"]) {
      const request = send(url, { headers: { host } }).end();
      const [response] = (await once(request, "response")) as [{ statusCode: number; resume: () => void }];
      response.resume();
      expect(response.statusCode).toBe(404);
    }
    const page = fetch(url);
    await callback;
    await redirect.end("success");
    await page;
  }));

test("a request before the wait, and one with long headers, are rejected", () =>
  withRedirect(async (redirect) => {
    expect((await fetch(`${redirect.redirectUri}?code=c&state=s1`)).status).toBe(400);
    expect((await fetch(redirect.redirectUri, { headers: { long: "x".repeat(20_000) } })).status).toBe(431);
  }));

test("an abort ends the wait with its reason, and the port becomes free", async () => {
  const redirect = await loopbackRedirect();
  const reason = new Error("Ctrl-C");
  const end = new AbortController();
  const callback = redirect.callback("s1", end.signal);
  end.abort(reason);
  await expect(callback).rejects.toBe(reason);
  await expect(redirect.callback("s1", end.signal)).rejects.toBe(reason);
  await redirect.end(reason);
  await refused(redirect.redirectUri);
  await redirect.end(reason);
});

test("connections that send nothing do not delay the end", async () => {
  const redirect = await loopbackRedirect();
  const idle = connect(Number(new URL(redirect.redirectUri).port), "127.0.0.1");
  await once(idle, "connect");
  const closed = once(idle, "close");
  await redirect.end("success");
  await closed;
});

test("a browser that has gone does not delay the end", () =>
  withRedirect(async (redirect) => {
    const callback = redirect.callback("s1", never);
    const gone = new AbortController();
    const page = fetch(`${redirect.redirectUri}?code=c&state=s1`, { signal: gone.signal });
    await callback;
    gone.abort();
    await expect(page).rejects.toThrow();
    await redirect.end("success");
  }));

test("localhost and a path of one's own are possible, on a fixed port that is free again afterwards", async () => {
  const first = await loopbackRedirect({ hostname: "localhost", path: "/oauth/done" });
  const port = Number(new URL(first.redirectUri).port);
  expect(first.redirectUri).toBe(`http://localhost:${port}/oauth/done`);
  await expect(loopbackRedirect({ port })).rejects.toMatchObject({
    code: "EADDRINUSE",
    message: expect.stringContaining("the port is in use") as string,
  });
  const callback = first.callback(undefined, never);
  const page = fetch(`${first.redirectUri}?code=c&state=any`);
  await callback;
  await first.end("success");
  expect((await page).status).toBe(200);
  await withRedirect(
    (second) => {
      expect(second.redirectUri).toBe(`http://127.0.0.1:${port}/callback`);
      return Promise.resolve();
    },
    { port },
  );
});

test.each(["callback", "/a?b", "/a b", "/a#b"])("the path %j is rejected", (path) =>
  expect(loopbackRedirect({ path })).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" }),
);
