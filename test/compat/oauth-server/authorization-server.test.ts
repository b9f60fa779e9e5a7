import express from "express";
import { describe, expect, test } from "vitest";
import { conversations } from "./conversations.js";
import { pairs, type Sdk } from "./packages.js";
import { challenge, makeApp, makeProvider } from "./program.js";
import { type Answer, listen, send, type Step } from "./requests.js";

interface Seen {
  readonly answers: readonly Answer[];
  /** What the provider was asked. */
  readonly asked: readonly unknown[];
}

async function converse(sdk: Sdk, steps: readonly Step[]): Promise<Seen> {
  const provider = makeProvider(sdk);
  const base = await listen(makeApp(sdk, { provider }));
  const answers: Answer[] = [];
  for (const step of steps) answers.push(await send(base, step));
  return { answers, asked: provider.seen };
}

/** The official documents cannot be read with HEAD. */
function withoutHead({ answers, asked }: Seen): Seen {
  const rewritten = answers.map(({ headers, ...rest }) => ({
    ...rest,
    headers: { ...headers, ...(headers["allow"] && { allow: headers["allow"].replace("HEAD, ", "") }) },
  }));
  return { answers: rewritten, asked };
}

describe.each(pairs)("%s", (_name, official, ours) => {
  test.each(Object.entries(conversations))("%s", async (_about, steps) => {
    const expected = await converse(official, steps);
    expect(withoutHead(await converse(ours, steps))).toEqual(expected);
  });

  test("answers a log-in with a code and tokens", async () => {
    const steps = conversations["a log-in from the code to the revocation"] ?? [];
    const { answers, asked } = await converse(ours, steps);
    expect(answers.map(({ status }) => status)).toEqual([302, 200, 400, 200, 400, 200, 400]);
    expect(answers[0]?.headers["location"]).toContain("https://app.example/callback?code=code-0&state=s");
    expect(asked).toHaveLength(6);
  });

  test("does not let responses be stored", async () => {
    const base = await listen(makeApp(ours, { provider: makeProvider(ours) }));
    for (const path of ["/authorize", "/token", "/register", "/revoke"]) {
      const response = await fetch(`${base}${path}`, { method: "POST" });
      expect([path, response.headers.get("cache-control")]).toEqual([path, "no-store"]);
    }
  });

  test("names the state of a malformed authorization request, which the official package does not", async () => {
    const path = "/authorize?client_id=public&response_type=code&code_challenge_method=plain&state=s";
    const stateOf = async (sdk: Sdk): Promise<string | null> => {
      const { answers } = await converse(sdk, [{ path }]);
      return new URL(answers[0]?.headers["location"] ?? "").searchParams.get("state");
    };
    expect(await Promise.all([official, ours].map(stateOf))).toEqual([null, "s"]);
  });

  test.each<[string, Step, number]>([
    [
      "is not JSON",
      { path: "/register", text: '{"client_secret":', headers: { "content-type": "application/json" } },
      400,
    ],
    ["is too long", { path: "/token", form: { client_id: "x".repeat(200_000) } }, 413],
    [
      "has an unknown charset",
      { path: "/register", text: "{}", headers: { "content-type": "application/json; charset=odd" } },
      415,
    ],
  ])("answers a body that %s with an error of OAuth", async (_what, step, status) => {
    const { answers } = await converse(ours, [step]);
    expect(answers[0]?.status).toBe(status);
    const body = JSON.parse(String(answers[0]?.body)) as Record<string, string>;
    expect(Object.keys(body)).toEqual(["error", "error_description"]);
    expect(body["error"]).toBe("invalid_request");
    expect(body["error_description"]).not.toMatch(/client_secret|node_modules/);
  });

  test("limits requests with the options of the program", async () => {
    const limitsOf = async (sdk: Sdk): Promise<unknown> => {
      const provider = makeProvider(sdk);
      const options = {
        provider,
        tokenOptions: { rateLimit: { limit: 1 } },
        revocationOptions: { rateLimit: { max: 1, windowMs: 1_000, message: { own: true } } },
        clientRegistrationOptions: { rateLimit: { limit: 1 } },
        authorizationOptions: { rateLimit: false as const },
      };
      const base = await listen(makeApp(sdk, options));
      const answers: Answer[] = [];
      for (const path of ["/token", "/token", "/revoke", "/revoke", "/register", "/register", "/authorize"])
        answers.push(await send(base, { path, method: "POST" }));
      return answers;
    };
    const answers = (await limitsOf(ours)) as Answer[];
    expect(answers).toEqual(await limitsOf(official));
    expect(answers.map(({ status }) => status)).toEqual([400, 429, 400, 429, 400, 429, 400]);
  });

  test("registers clients with the options of the program", async () => {
    const registered = async (sdk: Sdk, clientSecretExpirySeconds: number): Promise<unknown> => {
      const provider = makeProvider(sdk);
      const clientRegistrationOptions = { clientSecretExpirySeconds, clientIdGeneration: false };
      const base = await listen(makeApp(sdk, { provider, clientRegistrationOptions }));
      const answer = await send(base, { path: "/register", json: { redirect_uris: ["https://app.example/"] } });
      return [answer, provider.seen];
    };
    for (const seconds of [0, 60]) expect(await registered(ours, seconds)).toEqual(await registered(official, seconds));
  });

  test("keeps the type of an application that registers itself", async () => {
    const json = { redirect_uris: ["https://app.example/"], application_type: "native" };
    const { answers } = await converse(ours, [{ path: "/register", json }]);
    expect(answers[0]?.body).toContain(`"application_type":"native"`);
  });

  test("has no endpoints for what the provider cannot do", async () => {
    const seen = async (sdk: Sdk): Promise<unknown> => {
      const provider = makeProvider(sdk);
      delete provider.revokeToken;
      delete provider.clientsStore.registerClient;
      const options = {
        issuerUrl: new URL("https://auth.example/a"),
        baseUrl: new URL("https://other.example/b"),
        provider,
      };
      const base = await listen(express().use(sdk.mcpAuthRouter(options)));
      const paths = ["/register", "/revoke", "/.well-known/oauth-authorization-server"];
      const resource = "/.well-known/oauth-protected-resource/b";
      const answers = await Promise.all([...paths, resource].map((path) => send(base, { path })));
      return [answers.map(({ status, body }) => [status, status === 404 || body]), sdk.createOAuthMetadata(options)];
    };
    expect(await seen(ours)).toEqual(await seen(official));
    expect(() => ours.clientRegistrationHandler({ clientsStore: { getClient: () => undefined } })).toThrow(
      "Client registration store does not support registering clients",
    );
  });

  test.each(["http://auth.example", "https://auth.example/#a", "https://auth.example/?a=1"])(
    "rejects the issuer %s",
    (issuer) => {
      const messageOf = (sdk: Sdk): string => {
        try {
          sdk.createOAuthMetadata({ issuerUrl: new URL(issuer), provider: makeProvider(sdk) });
          return "no error";
        } catch (error) {
          return (error as Error).message;
        }
      };
      expect(messageOf(ours)).toBe(messageOf(official));
      expect(messageOf(ours)).toMatch(/^Issuer URL must/);
    },
  );

  test.each([
    ["https://a.example/x", "https://a.example/x"],
    ["https://a.example/x", "https://a.example/y"],
    ["http://localhost:1/x", "http://localhost:2/x"],
    ["http://localhost/x", "http://127.0.0.1/x"],
    ["http://[::1]:1/x?a", "http://[::1]:2/x?a"],
    ["http://[::1]:1/x?a", "http://[::1]:2/x?b"],
    ["no url", "http://localhost/x"],
    ["http://localhost.evil.example/x", "http://localhost/x"],
  ])("compares the redirects %s and %s", (one, other) => {
    expect(ours.redirectUriMatches(one, other)).toBe(official.redirectUriMatches(one, other));
  });

  test("does not redirect to loopback addresses with other credentials", () => {
    expect(ours.redirectUriMatches("http://user@localhost:1/x", "http://localhost:2/x")).toBe(false);
  });

  test("has the same errors", () => {
    const described = ({ OAUTH_ERRORS, CustomOAuthError }: Sdk): unknown => [
      ...Object.entries(OAUTH_ERRORS).map(([code, ErrorClass]) => {
        const error = new ErrorClass("m", "https://auth.example/why");
        return [code, error.name, error.errorCode, error.toResponseObject(), `${error}`];
      }),
      new CustomOAuthError("own", "m").toResponseObject(),
    ];
    expect(described(ours)).toEqual(described(official));
    expect(Object.keys(ours.OAUTH_ERRORS)).toHaveLength(17);
  });

  test("leaves an error after the response to Express", async () => {
    const provider = makeProvider(ours);
    provider.authorize = (_client, _params, response) => {
      response.redirect("https://app.example/callback?code=1");
      return Promise.reject(new Error("too late"));
    };
    const app = makeApp(ours, { provider });
    const reported = new Promise((resolve) =>
      app.use(((error, _request, _response, _next) => {
        resolve(error);
      }) as express.ErrorRequestHandler),
    );
    const path = `/authorize?client_id=public&response_type=code&code_challenge_method=S256&code_challenge=${challenge}`;
    expect(await send(await listen(app), { path })).toMatchObject({ status: 302 });
    expect(await reported).toMatchObject({ message: "too late" });
  });
});

describe.each(pairs)("%s: access tokens", (_name, official, ours) => {
  const tokens = ["fine", "wrong", "odd", "poor", "few", "failing", "broken", "late"];
  const headers = ["", "Basic x", "Bearer", "bearer fine", ...tokens.map((token) => `Bearer ${token}`)];

  async function answers(sdk: Sdk, options: object): Promise<unknown> {
    const app = express();
    const protect = sdk.requireBearerAuth({ verifier: makeProvider(sdk), ...options });
    app.post("/mcp", protect, (request, response) => {
      const { expiresAt: _expiresAt, ...auth } = request.auth ?? {};
      response.json(auth);
    });
    const base = await listen(app);
    return Promise.all(
      headers.map((authorization) => send(base, { path: "/mcp", method: "POST", headers: { authorization } })),
    );
  }

  test.each<[string, object]>([
    ["no options", {}],
    ["scopes and metadata", { requiredScopes: ["mcp"], resourceMetadataUrl: "https://api.example/metadata" }],
    ["the expected resource", { expectedResource: new URL("https://api.example/mcp") }],
    ["another resource", { expectedResource: new URL("https://other.example/mcp") }],
  ])("with %s", async (_what, options) => {
    expect(await answers(ours, options)).toEqual(await answers(official, options));
  });
});
