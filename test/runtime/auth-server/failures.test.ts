/** Each way in which a token is rejected or cannot be verified, and that no output shows the token. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { parseChallenges } from "../../../runtime/src/auth/discovery/challenge.js";
import type { TokenFacts } from "../../../runtime/src/auth-server/auth-info.js";
import { requireBearerAuth } from "../../../runtime/src/auth-server/bearer-auth.js";
import type { BearerAuthOptions } from "../../../runtime/src/auth-server/bearer-auth-options.js";
import type { RefusedRequest } from "../../../runtime/src/auth-server/refused-request.js";
import { InvalidTokenError, TokenVerificationError } from "../../../runtime/src/auth-server/token-errors.js";
import type { AuthorizationRefusal } from "../../../runtime/src/auth-server/gate/authorization-policy.js";
import type { Authenticated } from "../../../runtime/src/http-server/host-adapter.js";
import { CapturedOutput, everything } from "../auth/secrets/captured-output.js";
import { bearerRequest, call, factsWith, issuer, requestWith, resource } from "./requests.js";

const payload = "eyJzdWIiOiJhbGljZSIsInNlY3JldCI6InBheWxvYWQifQ";
const signature = "c2lnbmF0dXJlLW9mLXRoZS10b2tlbg";
const token = `eyJhbGciOiJFUzI1NiJ9.${payload}.${signature}`;

interface Row {
  readonly status: number;
  readonly verify: () => unknown;
  /** Of the challenge, and what the log says. */
  readonly error?: string;
  readonly reason?: string;
  readonly description?: string;
  /** What `onerror` reports; nothing by default. */
  readonly reported?: string;
  readonly options?: Partial<BearerAuthOptions>;
  readonly retryAfter?: true;
}

const rejected = (reason: ConstructorParameters<typeof InvalidTokenError>[0], message: string): (() => never) => {
  return () => {
    throw new InvalidTokenError(reason, message);
  };
};
const thrown = (make: () => unknown) => (): never => {
  throw make();
};

const rows: Readonly<Record<string, Row>> = {
  "a token that is rejected": {
    status: 401,
    verify: rejected("signature", "The signature does not match"),
    error: "invalid_token",
    reason: "signature",
    description: "The signature does not match",
  },
  "a message that repeats the token": {
    status: 401,
    verify: rejected("inactive", `unknown token ${token}: ${signature}`),
    error: "invalid_token",
    reason: "inactive",
    description: "unknown token [hidden]: [hidden]",
  },
  "a message that breaks out of the header": {
    status: 401,
    verify: rejected("claims", 'no "scope"\r\nset-cookie: a=b\\ ü'),
    error: "invalid_token",
    reason: "claims",
    description: "no 'scope' set-cookie: a=b/ ?",
  },
  "an empty message": {
    status: 401,
    verify: rejected("claims", ""),
    error: "invalid_token",
    reason: "claims",
    description: "The access token is not accepted",
  },
  "a verifier that is down": {
    status: 503,
    verify: thrown(() => new TokenVerificationError("The issuer does not respond")),
    reported: "The issuer does not respond",
    retryAfter: true,
  },
  "a verifier that is down and says for which token": {
    status: 503,
    verify: thrown(
      () =>
        new TokenVerificationError(`GET https://auth.example.com/${token}`, { cause: new Error(`body ${signature}`) }),
    ),
    reported: "GET https://auth.example.com/[hidden]",
    retryAfter: true,
  },
  "a verifier that does not end": {
    status: 503,
    verify: () => new Promise(() => undefined),
    reported: "The verifier did not finish within 5 ms",
    options: { verificationTimeoutMs: 5 },
    retryAfter: true,
  },
  "a verifier with a bug": {
    status: 500,
    verify: thrown(() => new TypeError("x is not a function")),
    reported: "x is not a function",
  },
  "a verifier with a bug that shows the token": {
    status: 500,
    verify: thrown(() =>
      Object.assign(new Error("failed"), { request: { headers: { authorization: `Bearer ${token}` } } }),
    ),
    reported: "failed",
  },
  "a verifier whose error has a deep member with a part of the token": {
    status: 500,
    verify: thrown(() => new Error("failed", { cause: { a: { b: { c: { d: { e: [signature] } } } } } })),
    reported: "failed",
  },
  "a verifier whose error refers to itself": {
    status: 500,
    verify: thrown(() => {
      const error = new Error("failed");
      return Object.assign(error, { cause: error });
    }),
    reported: "failed",
  },
  "a verifier that throws a string": { status: 500, verify: thrown(() => `bad ${token}`), reported: "bad [hidden]" },
  "a verifier that throws nothing": { status: 500, verify: thrown(() => undefined), reported: "undefined" },
  "a verifier that rejects": {
    status: 500,
    verify: () => Promise.reject(new Error(`bad ${payload}`)),
    reported: "bad [hidden]",
  },
  "a verifier that returns nothing": {
    status: 500,
    verify: () => undefined,
    reported: "verifyAccessToken must return an object with the members of TokenFacts",
  },
  "a verifier that returns no expiry": {
    status: 500,
    verify: () => ({ ...factsWith(), expiresAt: undefined }),
    reported: "verifyAccessToken must return expiresAt",
  },
  "a token of another issuer": {
    status: 401,
    verify: () => factsWith({ issuer: "https://evil.example" }),
    error: "invalid_token",
    reason: "issuer",
    description: "The token was issued by an authorization server that this server does not trust",
  },
  "a token of another MCP server": {
    status: 401,
    verify: () => factsWith({ audience: ["https://other.example/mcp"] }),
    error: "invalid_token",
    reason: "audience",
    description: "The token was issued for another resource",
  },
  "an expired token": {
    status: 401,
    verify: () => factsWith({ expiresAt: 1 }),
    error: "invalid_token",
    reason: "expired",
    description: "The token has expired",
  },
  "a token that is too long": {
    status: 401,
    verify: () => factsWith(),
    options: { maxTokenBytes: 20 },
    error: "invalid_token",
    reason: "malformed",
    description: "The access token has more than 20 characters",
  },
};

describe.each(Object.entries(rows))("%s", (_name, row) => {
  it.each(["thrown", "rejected"])(
    "is answered with the right status, and nothing shows the token (%s)",
    async (how) => {
      const output = new CapturedOutput();
      const log: RefusedRequest[] = [];
      const errors: Error[] = [];
      const authorization = requireBearerAuth({
        resource,
        requiredScopes: ["files:read"],
        verifier: {
          issuers: [issuer],
          verifyAccessToken: () =>
            (how === "thrown" ? row.verify() : Promise.resolve().then(row.verify)) as Promise<TokenFacts>,
        },
        onRefused: (entry) => log.push(entry),
        onerror: (error) => errors.push(error),
        ...row.options,
      });
      const refusal = await output.during(
        async () => (await authorization.authenticate(bearerRequest(token))) as AuthorizationRefusal,
      );
      expect(refusal.status).toBe(row.status);
      const [challenge] = parseChallenges(refusal.headers["www-authenticate"]);
      expect(challenge?.parameters["error"]).toBe(row.error);
      expect(challenge?.parameters["error_description"]).toBe(row.description);
      expect(challenge?.parameters["scope"]).toBe(row.error && "files:read");
      expect(refusal.headers["retry-after"]).toBe(row.retryAfter && "5");
      expect(Object.values(refusal.headers).join("")).toMatch(/^[\x20-\x7e]*$/);
      if (row.status >= 500) expect(refusal.message).not.toContain(row.reported);

      expect(log).toEqual([
        expect.objectContaining({
          status: row.status,
          error: row.error,
          message: refusal.message,
          method: "POST",
          remoteAddress: "192.0.2.1",
          correlationId: refusal.headers["x-correlation-id"],
        }),
      ]);
      expect(log[0]?.reason).toBe(row.reason);
      expect(errors.map(({ message }) => message)).toEqual(
        row.reported === undefined ? [] : [expect.stringContaining(row.reported)],
      );

      const shown = [refusal, log, errors].map((value) => everything(value)).join("\n") + output.texts.join("\n");
      for (const secret of [token, payload, signature]) expect(shown).not.toContain(secret);
    },
  );
});

describe("failures", () => {
  it("are printed without the token when there is no onerror", async () => {
    const output = new CapturedOutput();
    const authorization = requireBearerAuth({
      resource,
      verifier: { issuers: [issuer], verifyAccessToken: thrown(() => new Error(`bad ${token}`)) },
    });
    await output.during(async () => authorization.authenticate(bearerRequest(token)));
    expect(output.texts.join("\n")).toContain("bad [hidden]");
    expect(output.texts.join("\n")).not.toContain(token);
  });

  it("of a shared verification are reported once", async () => {
    const onerror = vi.fn();
    const error = new TokenVerificationError("down");
    const authorization = requireBearerAuth({
      resource,
      verifier: { issuers: [issuer], verifyAccessToken: () => Promise.reject(error) },
      onerror,
    });
    const outcomes = await Promise.all([1, 2, 3].map(async () => authorization.authenticate(bearerRequest(token))));
    expect(outcomes.map((outcome) => (outcome as AuthorizationRefusal).status)).toEqual([503, 503, 503]);
    expect(onerror).toHaveBeenCalledExactlyOnceWith(error);
  });

  it("of an issuer that is down are reported once per second and reason", () => {
    const onerror = vi.fn();
    let reason = "down";
    const now = vi.spyOn(Date, "now").mockReturnValue(1_000_000);
    onTestFinished(() => now.mockRestore());
    const authorization = requireBearerAuth({
      resource,
      verifier: { issuers: [issuer], verifyAccessToken: thrown(() => new TokenVerificationError(reason)) },
      onerror,
    });
    const fail = (): void => expect(authorization.authenticate(bearerRequest(token))).toMatchObject({ status: 503 });
    for (let count = 0; count < 1_000; count++) fail();
    expect(onerror).toHaveBeenCalledOnce();
    now.mockReturnValue(1_001_000);
    fail();
    expect(onerror).toHaveBeenCalledTimes(2);
    reason = "no keys";
    fail();
    fail();
    expect(onerror.mock.calls.map(([error]) => (error as Error).message)).toEqual(["down", "down", "no keys"]);
  });

  const hooks: Readonly<Record<string, () => never>> = {
    throws: thrown(() => new Error("hook")),
    rejects: (() => Promise.reject(new Error("hook"))) as () => never,
  };
  it.each(Object.entries(hooks))("of onRefused do not matter: it %s", async (_how, onRefused) => {
    const onerror = vi.fn();
    const verifier = { issuers: [issuer], verifyAccessToken: () => factsWith() };
    const authorization = requireBearerAuth({ resource, verifier, onerror, onRefused });
    expect(authorization.authenticate(requestWith())).toMatchObject({ status: 401 });
    await vi.waitFor(() => expect(onerror).toHaveBeenCalledExactlyOnceWith(new Error("hook")));
  });
});

describe("scope elevations", () => {
  const facts = factsWith({ scopes: ["files:read"] });

  function refused(options: Partial<BearerAuthOptions>, message = call("write", { secret: token })) {
    const log: RefusedRequest[] = [];
    const errors: Error[] = [];
    const authorization = requireBearerAuth({
      resource,
      verifier: { issuers: [issuer], verifyAccessToken: () => facts },
      onRefused: (entry) => log.push(entry),
      onerror: (error) => errors.push(error),
      ...options,
    });
    const { principal } = authorization.authenticate(bearerRequest(token)) as Authenticated;
    const refusal = authorization.authorize(bearerRequest(token, { principal }), [message], ["files:write"]);
    return { refusal, log, errors };
  }

  it("are logged with all that an audit needs", () => {
    const { refusal, log } = refused({
      scopeIncludes: { "files:read": ["files:list"] },
      requiredScopes: ["files:list"],
    });
    expect(log).toEqual([
      {
        correlationId: refusal?.headers["x-correlation-id"],
        status: 403,
        error: "insufficient_scope",
        message: "Forbidden: The access token lacks the scope files:write",
        method: "POST",
        remoteAddress: "192.0.2.1",
        principal: { issuer, subject: "alice" },
        clientId: "desktop",
        operations: [{ method: "tools/call", name: "write" }],
        requiredScopes: ["files:list", "files:write"],
        grantedScopes: ["files:read"],
        missingScopes: ["files:write"],
      },
    ]);
    expect(everything([refusal, log])).not.toContain(token);
  });

  it.each([
    [{ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: `file:///${token}` } }, "file:///[hidden]"],
    [{ jsonrpc: "2.0", id: 1, method: 7, params: 8 }, undefined],
    [{ jsonrpc: "2.0", id: 1, method: token, params: { name: { toString: 1 } } }, undefined],
    [call("x".repeat(10_000)), "x".repeat(200)],
  ])("of an invalid request %j are logged", (message, name) => {
    const { log } = refused({}, message as ReturnType<typeof call>);
    expect(log[0]?.operations?.[0]?.name).toBe(name);
    expect(everything(log)).not.toContain(token);
  });

  it.each([
    ["throws", thrown(() => new Error(`bad ${token}`)), "bad [hidden]"],
    ["returns what is not a scope", () => ["a b"], "the result of operationScopes must contain strings"],
    ["returns nothing", () => undefined as never, "the result of operationScopes must contain strings"],
    [
      "returns offline_access",
      () => ["offline_access"],
      'the result of operationScopes must not contain "offline_access"',
    ],
  ])("are refused with 500 when operationScopes %s", (_how, operationScopes, message) => {
    const { refusal, errors, log } = refused({ operationScopes });
    expect(refusal).toMatchObject({ status: 500, message: "Internal error" });
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining(message) as string })]);
    expect(everything([refusal, log, errors])).not.toContain(token);
  });

  it("are refused for a principal from elsewhere", () => {
    const authorization = requireBearerAuth({
      resource,
      verifier: { issuers: [issuer], verifyAccessToken: () => facts },
    });
    const principal = { issuer, subject: "alice", scopes: ["files:write"] };
    expect(authorization.authorize(requestWith({ principal }), [], [])).toMatchObject({ status: 401 });
    expect(authorization.authorize(requestWith(), [], [])).toMatchObject({ status: 401 });
  });
});
