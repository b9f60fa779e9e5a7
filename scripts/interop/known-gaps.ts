/** Features that the pinned peers lack. Each run must show the evidence; without it, a cell fails. */
import type { KnownGap } from "./pairing.js";

const knownGap = (
  features: readonly string[],
  what: string,
  evidence: RegExp,
  revisions?: readonly string[],
): KnownGap[] => features.map((feature) => ({ feature, what, evidence, ...(revisions && { revisions }) }));

const questions = ["sampling", "elicitation", "roots"];

export const jsonReplies = [
  ...knownGap(
    ["progress"],
    "with JSON responses, it sends no other messages, and its tool waits for the client to get them",
    /REQUEST_TIMEOUT.*POST with 200 application\/json$/,
  ),
  ...knownGap(
    ["progress at once"],
    "with JSON responses, it sends no other messages",
    /is not \[1,2,3\] but: \[\].*POST with 200 application\/json$/,
  ),
  ...knownGap(
    questions,
    "with JSON responses, it has no stream for requests to the client, and its tool waits for the responses",
    /REQUEST_TIMEOUT.*POST with 200 application\/json$/,
  ),
];

/** For revisions of the handshake era, served without sessions. */
export const withoutSessions = (revisions: readonly string[]): readonly KnownGap[] => [
  ...knownGap(
    ["logging"],
    "without sessions, it does not keep the log level",
    /below the level: \["quiet","loud"\]/,
    revisions,
  ),
  ...knownGap(
    ["subscriptions", "list changed"],
    "without sessions, it has no stream for notifications",
    /GET (without a session )?with 405/,
    revisions,
  ),
  ...knownGap(
    ["elicitation"],
    "without sessions, it does not keep the client's capabilities",
    /Client does not support form elicitation/,
    revisions,
  ),
  ...knownGap(
    ["sampling", "roots"],
    "without sessions, responses to its requests do not reach the tool",
    /REQUEST_TIMEOUT/,
    revisions,
  ),
];

export const fastmcp = [
  ...knownGap(["logging"], "it ignores the log level", /below the level: .*quiet.*loud/),
  ...knownGap(["pagination"], "it returns complete lists without pages", /all came on one page/),
  ...knownGap(
    ["list changed"],
    "it does not send notifications about changed tools",
    /does not declare tools\.listChanged/,
  ),
];

export const fastmcpHttp = [
  ...fastmcp,
  ...knownGap(["roots"], "it requests them once, before a stream for the request is open", /but: "The roots are "/),
];

export const mcpLite = [
  ...knownGap(["cancellation"], "its handlers get no signal", /a handler has no signal; its context has/),
  ...knownGap(["logging"], "it has no logging", /does not declare logging/),
  ...knownGap(["subscriptions"], "it has no subscriptions", /does not declare resources\.subscribe/),
  ...knownGap(["completion"], "it has no completion", /does not offer completions/),
  ...knownGap(["roots"], "its handlers cannot request roots", /a handler has no roots; its context has/),
  ...knownGap(["pagination"], "it returns complete lists without pages", /all came on one page/),
  ...knownGap(
    ["list changed"],
    "it rejects a stream in the revision that it negotiated",
    /GET with 400 Bad Request: Protocol version mismatch/,
    ["2025-03-26"],
  ),
];

export const mcpLiteStdio = knownGap(
  ["opening"],
  "it has no stdio transport",
  /it has no transport for stdio; its exports are/,
);

export const everything = knownGap(
  ["elicitation"],
  "its form uses fields that 2025-06-18 does not define",
  /its elicitation\/create has at requestedSchema\.properties\.\w+ what 2025-06-18 does not have/,
  ["2025-06-18"],
);

/** Clients whose transport delivers messages that arrive together at once. */
export const lateProgress = knownGap(
  ["progress at once"],
  "it drops the progress token when the result arrives, before it handles progress that arrived with it",
  /it reported to onerror: Error: Received a progress notification for an unknown token/,
).map((one) => ({ ...one, sometimes: true }));

export const inspector = [
  ...knownGap(
    ["subscriptions"],
    "its command line does not support subscriptions",
    /Unsupported method: resources\/subscribe/,
  ),
  ...knownGap(
    ["completion"],
    "its command line does not support completion",
    /Unsupported method: completion\/complete/,
  ),
  ...knownGap(
    ["sampling"],
    "its command line does not declare sampling",
    /client did not declare the required capability sampling/,
  ),
  ...knownGap(
    ["elicitation"],
    "its command line does not declare elicitation",
    /client did not declare the required capability elicitation/,
  ),
  ...knownGap(
    ["logging"],
    "its command line does not send a log level with requests",
    /'logging\/setLevel' is not supported by the negotiated protocol version/,
    ["2026-07-28"],
  ),
];

export const inspectorLogIn = knownGap(
  ["step-up"],
  "its command line uses its refresh token for a step-up, which cannot widen the scopes",
  /auth\(\) returned AUTHORIZED without authorization code/,
);

export const sdk1LogIn = knownGap(
  ["refresh"],
  "it does not request the scope offline_access, so that the authorization server issues no refresh token",
  /the events is not \["granted refresh_token"\] but: \["page","granted authorization_code"\]/,
);

export const sdk1ProxyLogIn = knownGap(
  ["step-up", "second connection"],
  "with a refresh token, it refreshes instead of requesting the missing scope, and gives up",
  /Server returned 403 after trying upscoping/,
);

export const inspectorDpop = knownGap(
  ["log-in"],
  "it does not bind tokens to keys",
  /Server returned 401 after re-authentication/,
);
