import { describe, expect, test } from "vitest";
import { type AuthChallenge, type AuthProvider, SSEClientTransport } from "../../../runtime/src/client/http.js";
import { SdkError } from "../../../runtime/src/jsonrpc/errors.js";
import { deferred } from "../../../runtime/src/timing/deferred.js";
import { clientFor, connected } from "./clients.js";
import { complete, fakeServer, handshake, result, type Script, type Seen, stateless, until } from "./fake-server.js";

const R4 = "2025-11-25";
const denied = new SdkError("UNAUTHORIZED", "log in first");
const tools = complete({ tools: [], ttlMs: 0, cacheScope: "private" });

/** A log-in that a test ends. */
class LogIn implements AuthProvider {
  readonly challenges: AuthChallenge[] = [];
  #over = deferred();
  #outcome: unknown;

  constructor(public current: string | undefined) {}

  token(): string | undefined {
    return this.current;
  }

  async onUnauthorized(challenge: AuthChallenge): Promise<unknown> {
    this.challenges.push(challenge);
    await this.#over.promise;
    if (this.#outcome instanceof Error) throw this.#outcome;
    return this.#outcome;
  }

  /** Ends this log-in and later ones. */
  end(outcome: unknown): void {
    this.#outcome = outcome;
    this.#over.resolve();
  }
}

const tokenOf = ({ headers }: Seen): string => (headers.authorization ?? "").replace("Bearer ", "");

/** A stateless server that accepts this token. */
function guarded(good: string): Script {
  return (seen, reply) =>
    tokenOf(seen) === good
      ? stateless(() => reply.json(result(seen.message.id, tools)))(seen, reply)
      : reply.status(401, "log in", { "www-authenticate": "Bearer" });
}

async function loggedIn() {
  const server = await fakeServer(guarded("old"));
  const logIn = new LogIn("old");
  const made = await connected(server, {}, { authProvider: logIn });
  server.script = guarded("new");
  return { server, logIn, ...made };
}

describe("requests that wait for one authorization", () => {
  test("an abort ends the wait of one caller; the others get their results", async () => {
    const { server, logIn, client } = await loggedIn();
    const aborter = new AbortController();
    const reason = new Error("enough");
    const aborted = expect(client.listTools({}, { signal: aborter.signal })).rejects.toBe(reason);
    const others = [client.listTools(), client.listTools()];
    await until(() => server.of("tools/list").length === 3);
    await until(() => logIn.challenges.length === 1);
    aborter.abort(reason);
    await aborted;
    logIn.current = "new";
    logIn.end(true);
    await Promise.all(others);
    expect(logIn.challenges).toHaveLength(1);
    expect(server.of("tools/list").filter((seen) => tokenOf(seen) === "new")).toHaveLength(2);
  });

  test("an authorization that fails after all callers have aborted does not end the process", async () => {
    const rejections: unknown[] = [];
    const onRejection = (error: unknown): void => void rejections.push(error);
    process.on("unhandledRejection", onRejection);
    try {
      const { logIn, client } = await loggedIn();
      const aborter = new AbortController();
      const calls = [1, 2].map(() => client.listTools({}, { signal: aborter.signal }).catch(() => "aborted"));
      await until(() => logIn.challenges.length === 1);
      aborter.abort();
      expect(await Promise.all(calls)).toEqual(["aborted", "aborted"]);
      logIn.end(new Error("denied"));
      // Rejections without a handler are reported after the microtasks.
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect(rejections).toEqual([]);
    } finally {
      process.off("unhandledRejection", onRejection);
    }
  });

  test("its failure is the failure of all of them", async () => {
    const { server, logIn, client } = await loggedIn();
    const calls = Array.from({ length: 10 }, () => client.listTools().catch((error: unknown) => error));
    await until(() => server.of("tools/list").length === 10);
    await until(() => logIn.challenges.length === 1);
    // This one has not been rejected yet, and need not be.
    calls.push(client.listTools().catch((error: unknown) => error));
    logIn.end(denied);
    for (const outcome of await Promise.all(calls)) expect(outcome).toBe(denied);
    expect(logIn.challenges).toHaveLength(1);
    expect(server.of("tools/list")).toHaveLength(10);
  });

  test("its failure is that of a request whose rejection arrives later", async () => {
    const { server, logIn, client } = await loggedIn();
    const late = deferred();
    server.script = async (seen, reply) => {
      if (server.of("tools/list").length === 1) await late.promise;
      return guarded("new")(seen, reply);
    };
    const slow = client.listTools().catch((error: unknown) => error);
    await until(() => server.of("tools/list").length === 1);
    logIn.end(denied);
    expect(await client.listTools().catch((error: unknown) => error)).toBe(denied);
    late.resolve();
    expect(await slow).toBe(denied);
    expect(logIn.challenges).toHaveLength(1);
    // A request that is sent after the failure tries again.
    expect(await client.listTools().catch((error: unknown) => error)).toBe(denied);
    expect(logIn.challenges).toHaveLength(2);
  });

  test("a rejection that arrives after the authorization needs no other one", async () => {
    const { server, logIn, client } = await loggedIn();
    const late = deferred();
    const accept = guarded("new");
    server.script = async (seen, reply) => {
      if (server.of("tools/list").length === 1) await late.promise;
      return accept(seen, reply);
    };
    const first = client.listTools();
    await until(() => server.of("tools/list").length === 1);
    const second = client.listTools();
    await until(() => logIn.challenges.length === 1);
    logIn.current = "new";
    logIn.end(true);
    await second;
    late.resolve();
    await first;
    expect(logIn.challenges).toHaveLength(1);
  });

  test("an abort while the provider looks for the token", async () => {
    const server = await fakeServer(guarded("new"));
    const calls: string[] = [];
    const never = new Promise<string>(() => undefined);
    const provider: AuthProvider = { token: () => (calls.push("token"), never) };
    const { client, transport } = clientFor(server, { authProvider: provider });
    const aborter = new AbortController();
    const opened = client.connect(transport, { signal: aborter.signal });
    await until(() => calls.length === 1);
    const reason = new Error("enough");
    aborter.abort(reason);
    await expect(opened).rejects.toBe(reason);
    expect(server.seen).toEqual([]);
  });
});

describe("step-up", () => {
  const session = "s";

  /** A session in which each tool needs a scope of its own. */
  function scoped(scopes: () => ReadonlySet<string>): Script {
    return handshake(
      R4,
      (seen, reply) => {
        if (seen.method !== "POST") return reply.status(405);
        const scope = seen.message.params?.["name"] as string | undefined;
        if (scope === undefined) return reply.json(result(seen.message.id, { tools: [] }));
        if (scopes().has(scope)) return reply.json(result(seen.message.id, { content: [] }));
        const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
        return reply.status(403, "", { "www-authenticate": challenge });
      },
      () => session,
    );
  }

  test("other requests of the session do not wait for it", async () => {
    const granted = new Set<string>();
    const server = await fakeServer(scoped(() => granted));
    const logIn = new LogIn("t");
    const { client } = await connected(server, { era: "handshake" }, { authProvider: logIn });
    const call = client.callTool({ name: "write" });
    await until(() => logIn.challenges.length === 1);
    await client.listTools();
    granted.add("write");
    logIn.end(true);
    await call;
    expect(logIn.challenges.map(({ status, operation }) => [status, operation])).toEqual([[403, "tools/call write"]]);
    expect(server.of("initialize")).toHaveLength(1);
    for (const { headers } of server.of("tools/call")) expect(headers["mcp-session-id"]).toBe(session);
  });

  test("many operations with a scope each get one authorization each, in turn", async () => {
    const granted = new Set<string>();
    const server = await fakeServer(scoped(() => granted));
    const running = { now: 0, most: 0 };
    const challenges: AuthChallenge[] = [];
    const authProvider: AuthProvider = {
      token: () => `t${granted.size}`,
      async onUnauthorized(challenge) {
        challenges.push(challenge);
        running.most = Math.max(running.most, ++running.now);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running.now--;
        granted.add(/scope="(.*)"/.exec(challenge.wwwAuthenticate ?? "")?.[1] ?? "");
      },
    };
    const { client } = await connected(server, { era: "handshake" }, { authProvider });
    const names = Array.from({ length: 10 }, (_, index) => `scope${index}`);
    await Promise.all(names.flatMap((name) => [client.callTool({ name }), client.callTool({ name })]));
    expect(challenges.map(({ operation }) => operation).sort()).toEqual(names.map((name) => `tools/call ${name}`));
    expect(running.most).toBe(1);
  });

  test("its failure concerns only requests for the same scope", async () => {
    const granted = new Set(["read"]);
    const server = await fakeServer(scoped(() => granted));
    const problem = new SdkError("INSUFFICIENT_SCOPE", "no");
    const authProvider: AuthProvider = {
      token: () => "t",
      async onUnauthorized({ operation }) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (operation === "tools/call admin") throw problem;
        granted.add("write");
      },
    };
    const { client } = await connected(server, { era: "handshake" }, { authProvider });
    const outcomes = await Promise.allSettled(["admin", "write", "read"].map((name) => client.callTool({ name })));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(outcomes[0]).toMatchObject({ reason: problem });
  });

  test.each([
    'Bearer error="invalid_token", error_description="not insufficient_scope"',
    "Bearer",
    'Bearer scope="insufficient_scope"',
    undefined,
  ])("a 403 without the error insufficient_scope does not count: %s", async (challenge) => {
    const server = await fakeServer((_seen, reply) =>
      reply.status(403, "no", challenge === undefined ? {} : { "www-authenticate": challenge }),
    );
    const logIn = new LogIn("t");
    const { client, transport } = clientFor(server, { authProvider: logIn });
    await expect(client.connect(transport)).rejects.toMatchObject({ code: "HTTP_ERROR", data: { status: 403 } });
    expect(logIn.challenges).toEqual([]);
    expect(server.story).toEqual(["server/discover"]);
  });

  test.each([
    'Bearer error="insufficient_scope"',
    "bearer ERROR = insufficient_scope",
    'DPoP a="b", error="insufficient_scope"',
  ])("a 403 counts with: %s", async (challenge) => {
    const server = await fakeServer((_seen, reply) => reply.status(403, "no", { "www-authenticate": challenge }));
    const logIn = new LogIn("t");
    logIn.end(false);
    const { client, transport } = clientFor(server, { authProvider: logIn });
    await expect(client.connect(transport)).rejects.toMatchObject({ code: "HTTP_ERROR", data: { body: "no" } });
    expect(logIn.challenges).toMatchObject([{ status: 403, token: "t", wwwAuthenticate: challenge }]);
  });
});

describe("the end of a session", () => {
  test.each([
    ["is sent again with new headers, for a new nonce", 1, []],
    ["makes nobody log in", 9, [{ code: "HTTP_ERROR", data: { status: 401 } }]],
  ])("%s", async (_name, rejected, reported) => {
    const server = await fakeServer(
      handshake(
        R4,
        (seen, reply) =>
          reply.status(seen.method !== "DELETE" ? 405 : server.of("DELETE").length <= rejected ? 401 : 204),
        () => "s",
      ),
    );
    const logIn = new LogIn("t");
    let proofs = 0;
    const authProvider: AuthProvider = {
      token: () => "t",
      headers: () => ({ dpop: `p${++proofs}` }),
      onUnauthorized: (challenge) => logIn.onUnauthorized(challenge),
    };
    const { client, errors } = await connected(server, { era: "handshake" }, { authProvider });
    await client.close();
    expect(logIn.challenges).toEqual([]);
    expect(errors).toMatchObject(reported);
    const [first, second] = server.of("DELETE").map(({ headers }) => headers["dpop"]);
    expect(server.of("DELETE")).toHaveLength(2);
    expect(first).not.toBe(second);
  });
});

describe("HTTP with server-sent events", () => {
  /** A server of 2024-11-05; `streamToken` and `postToken` are what it accepts. */
  function old(streamToken: string, postToken: string): Script {
    return (seen, reply) => {
      if (seen.method === "POST" && seen.path === "/mcp") return reply.status(405);
      if (tokenOf(seen) !== (seen.method === "GET" ? streamToken : postToken)) return reply.status(401, "log in");
      if (seen.method === "GET") return void reply.events().send({ event: "endpoint", data: "/messages" });
      return reply.status(202);
    };
  }

  test("both of its requests are authorized, for the server's URL", async () => {
    const server = await fakeServer(old("one", "two"));
    const challenges: AuthChallenge[] = [];
    let token = "none";
    const transport = new SSEClientTransport(server.url, {
      authProvider: {
        token: () => token,
        onUnauthorized: (challenge) => (token = challenges.push(challenge) === 1 ? "one" : "two"),
      },
    });
    await transport.start();
    await transport.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t" } });
    await transport.close();
    expect(challenges).toMatchObject([
      { url: { href: server.url }, token: "none", operation: undefined },
      { url: { href: server.url }, token: "one", operation: "tools/call t" },
    ]);
  });

  test.each<readonly [string, AuthProvider | undefined, object]>([
    [
      "a provider that fails",
      { token: () => "t", onUnauthorized: () => Promise.reject(denied) },
      { code: "UNAUTHORIZED" },
    ],
    ["a provider that gives up", { token: () => "t", onUnauthorized: () => false }, { data: { status: 401 } }],
    ["no provider", undefined, { code: "HTTP_ERROR", data: { status: 401, body: "log in" } }],
  ])("the reason is reported when it needs a log-in: %s", async (_name, authProvider, error) => {
    const server = await fakeServer(old("good", "good"));
    const { client, transport } = clientFor(server, authProvider && { authProvider });
    await expect(client.connect(transport, { era: "handshake" })).rejects.toMatchObject(error);
    expect(server.story).toEqual(["initialize", "GET"]);
  });
});
