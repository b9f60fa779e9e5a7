import { describe, expect, test } from "vitest";
import { AuthorizationError } from "../../../../runtime/src/auth/auth-errors.js";
import { checkCallback, parseCallback } from "../../../../runtime/src/auth/grants/authorization-callback.js";
import type { AuthorizationFlow } from "../../../../runtime/src/auth/grants/authorization-flow.js";
import { exampleFlow, exampleServer, issuer } from "./example-flow.js";

const announced = { authorization_response_iss_parameter_supported: true };
const code = "the-secret-code";

/** Does what `finish` does: returns the code, or the error. */
function check(flow: AuthorizationFlow, callbackUrl: string): string | AuthorizationError {
  try {
    return checkCallback(parseCallback(callbackUrl, flow.redirectUri), flow);
  } catch (error) {
    if (error instanceof AuthorizationError) return error;
    throw error;
  }
}

function callback(flow: AuthorizationFlow, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams({ state: flow.state, ...parameters }).toString();
  return `${flow.redirectUri}${flow.redirectUri.includes("?") ? "&" : "?"}${query}`;
}

interface Row {
  readonly title: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly redirectUri?: string;
  readonly url: (flow: AuthorizationFlow) => string;
  /** The code, or the reason of the error. */
  readonly expected: string;
}

const rows: readonly Row[] = [
  { title: "a code", url: (flow) => callback(flow, { code }), expected: code },
  { title: "a code on a path only", url: ({ state }) => `/callback?code=${code}&state=${state}`, expected: code },
  { title: "other parameters", url: (flow) => callback(flow, { code, session_state: "x" }), expected: code },
  { title: "a fragment of another script", url: (flow) => `${callback(flow, { code })}#_=_`, expected: code },
  {
    title: "a redirect URI with a query",
    redirectUri: "https://app.example.com/callback?tenant=a%20b",
    url: (flow) => callback(flow, { code }),
    expected: code,
  },
  {
    title: "a redirect URI whose query is missing",
    redirectUri: "https://app.example.com/callback?tenant=1",
    url: ({ state }) => `https://app.example.com/callback?code=${code}&state=${state}`,
    expected: "callback-invalid",
  },
  {
    title: "a redirect URI with the scheme of the application",
    redirectUri: "com.example.app:/callback",
    url: (flow) => callback(flow, { code }),
    expected: code,
  },
  { title: "no URL", url: () => "https://", expected: "callback-invalid" },
  { title: "no state", url: () => `/callback?code=${code}`, expected: "state-mismatch" },
  { title: "an empty state", url: () => `/callback?code=${code}&state=`, expected: "state-mismatch" },
  { title: "a state of another form", url: () => `/callback?code=${code}&state=../x`, expected: "state-mismatch" },
  {
    title: "the state of another log-in",
    url: () => `/callback?code=${code}&state=${exampleFlow().state}`,
    expected: "state-mismatch",
  },
  { title: "no code", url: (flow) => callback(flow, {}), expected: "callback-invalid" },
  { title: "an empty code", url: (flow) => callback(flow, { code: "" }), expected: "callback-invalid" },
  { title: "two codes", url: (flow) => `${callback(flow, { code })}&code=other`, expected: "callback-invalid" },
  {
    title: "two states",
    url: (flow) => `${callback(flow, { code })}&state=${flow.state}`,
    expected: "callback-invalid",
  },
  {
    title: "two issuers",
    url: (flow) => `${callback(flow, { code, iss: issuer })}&iss=https%3A%2F%2Fevil.example`,
    expected: "callback-invalid",
  },
  {
    title: "an access token in the query",
    url: (flow) => callback(flow, { code, access_token: "secret-token" }),
    expected: "callback-invalid",
  },
  {
    title: "an access token in the fragment",
    url: ({ state }) => `/callback#access_token=secret-token&state=${state}`,
    expected: "callback-invalid",
  },
  {
    title: "an id token",
    url: (flow) => callback(flow, { code, id_token: "secret-token" }),
    expected: "callback-invalid",
  },
  {
    title: "a response in the fragment",
    url: ({ state }) => `/callback#code=${code}&state=${state}`,
    expected: "callback-invalid",
  },
  {
    title: "a response as a JWT",
    url: (flow) => callback(flow, { response: "ey.ey.x" }),
    expected: "callback-invalid",
  },
  {
    title: "another host",
    url: (flow) => callback(flow, { code }).replace("app.example.com", "evil.example"),
    expected: "callback-invalid",
  },
  {
    title: "another port",
    url: (flow) => callback(flow, { code }).replace("app.example.com", "app.example.com:8443"),
    expected: "callback-invalid",
  },
  {
    title: "another scheme",
    url: (flow) => callback(flow, { code }).replace("https:", "http:"),
    expected: "callback-invalid",
  },
  {
    title: "another path",
    url: (flow) => callback(flow, { code }).replace("/callback", "/callback/"),
    expected: "callback-invalid",
  },
  {
    title: "a user name in the URL",
    url: (flow) => callback(flow, { code }).replace("https://", "https://user@"),
    expected: "callback-invalid",
  },
];

describe("a callback with", () => {
  test.each(rows)("$title", ({ metadata, redirectUri, url, expected }) => {
    const flow = exampleFlow(exampleServer(metadata), redirectUri === undefined ? {} : { redirectUri });
    const outcome = check(flow, url(flow));
    expect(outcome instanceof AuthorizationError ? outcome.reason : outcome).toBe(expected);
    if (outcome instanceof AuthorizationError) {
      const shown = JSON.stringify([outcome.message, outcome.data, String(outcome.cause)]);
      for (const secret of [code, "secret-token", flow.verifier, flow.state]) expect(shown).not.toContain(secret);
    }
  });
});

/** The table of MCP 2026-07-28, authorization response validation, and spellings that a normalization would change. */
const issuers = [
  { metadata: announced, iss: issuer, fits: true },
  { metadata: announced, iss: undefined, fits: false },
  { metadata: announced, iss: "https://evil.example", fits: false },
  { metadata: {}, iss: issuer, fits: true },
  { metadata: {}, iss: undefined, fits: true },
  { metadata: {}, iss: "https://evil.example", fits: false },
  { metadata: { authorization_response_iss_parameter_supported: false }, iss: undefined, fits: true },
  { metadata: { authorization_response_iss_parameter_supported: false }, iss: "https://evil.example", fits: false },
  ...[
    "",
    `${issuer}/`,
    "HTTPS://auth.example.com",
    "https://AUTH.example.com",
    `${issuer}:443`,
    `${issuer}?`,
    ` ${issuer}`,
  ].map((iss) => ({ metadata: announced, iss, fits: false })),
  { metadata: {}, iss: "", fits: false },
  { metadata: {}, iss: `${issuer}/`, fits: false },
];

describe("iss is compared byte for byte", () => {
  test.each(issuers)("$metadata, iss $iss", ({ metadata, iss, fits }) => {
    const flow = exampleFlow(exampleServer(metadata));
    const sent = iss === undefined ? {} : { iss };
    expect(check(flow, callback(flow, { code, ...sent }))).toEqual(
      fits ? code : expect.objectContaining({ reason: "issuer-mismatch" }),
    );
    const error = check(flow, callback(flow, { error: "access_denied", error_description: "Sorry, Dave", ...sent }));
    expect(error).toMatchObject({ reason: fits ? "denied" : "issuer-mismatch" });
    // An error of another server is neither used nor shown.
    expect(JSON.stringify(error) + String(error)).toMatch(fits ? /Sorry, Dave/ : /^(?!.*(Sorry|access_denied|evil))/);
  });
});

describe("an error response", () => {
  test("has the code and the description of the server", () => {
    const flow = exampleFlow();
    const error = check(flow, callback(flow, { error: "invalid_scope", error_description: "no such scope" }));
    expect(error).toMatchObject({
      reason: "denied",
      data: { error: "invalid_scope", errorDescription: "no such scope", issuer },
      message: expect.stringContaining("invalid_scope (no such scope)") as string,
    });
  });

  test("shows neither control characters nor secrets that the server repeats", () => {
    const flow = exampleFlow();
    const description = `\u001b[31m${flow.verifier}\n${flow.state} ${code}`;
    const error = check(flow, callback(flow, { code, error: "x", error_description: description }));
    const shown = String(error);
    expect(shown).not.toMatch(/\p{Cc}/u);
    for (const secret of [flow.verifier, flow.state, code]) expect(shown).not.toContain(secret);
  });
});
