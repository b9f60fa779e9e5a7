/** What the pinned peers cannot do. The evidence is what the run has to show each time; without it, a cell fails. */
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
    "with JSON replies it sends nothing before them, and its tool waits in vain until it is heard",
    /REQUEST_TIMEOUT.*POST with 200 application\/json$/,
  ),
  ...knownGap(
    ["progress at once"],
    "with JSON replies it sends nothing before them",
    /is not \[1,2,3\] but: \[\].*POST with 200 application\/json$/,
  ),
  ...knownGap(
    questions,
    "with JSON replies it has no stream for questions, and its tool waits in vain",
    /REQUEST_TIMEOUT.*POST with 200 application\/json$/,
  ),
];

/** Those of the handshake era, served without sessions. */
export const withoutSessions = (revisions: readonly string[]): readonly KnownGap[] => [
  ...knownGap(
    ["logging"],
    "without sessions it forgets the log level",
    /below the level: \["quiet","loud"\]/,
    revisions,
  ),
  ...knownGap(
    ["subscriptions", "list changed"],
    "without sessions it has no stream for notifications",
    /GET (without a session )?with 405/,
    revisions,
  ),
  ...knownGap(
    ["elicitation"],
    "without sessions it forgets what the client can do",
    /Client does not support form elicitation/,
    revisions,
  ),
  ...knownGap(
    ["sampling", "roots"],
    "without sessions answers to questions do not reach the tool",
    /REQUEST_TIMEOUT/,
    revisions,
  ),
];

export const fastmcp = [
  ...knownGap(["logging"], "it ignores the log level", /below the level: .*quiet.*loud/),
  ...knownGap(["pagination"], "it gives lists as a whole", /all came on one page/),
  ...knownGap(["list changed"], "it does not tell of changed tools", /does not declare tools\.listChanged/),
];

export const fastmcpHttp = [
  ...fastmcp,
  ...knownGap(["roots"], "it asks for them once, before there is a stream to ask on", /but: "The roots are "/),
];

export const mcpLite = [
  ...knownGap(["cancellation"], "handlers are not told", /a handler has no signal; its context has/),
  ...knownGap(["logging"], "it has no logging", /does not declare logging/),
  ...knownGap(["subscriptions"], "it has no subscriptions", /does not declare resources\.subscribe/),
  ...knownGap(["completion"], "it has no completion", /does not offer completions/),
  ...knownGap(["roots"], "handlers cannot ask for roots", /a handler has no roots; its context has/),
  ...knownGap(["pagination"], "it gives lists as a whole", /all came on one page/),
  ...knownGap(
    ["list changed"],
    "it refuses to open a stream of the revision that it has agreed on",
    /GET with 400 Bad Request: Protocol version mismatch/,
    ["2025-03-26"],
  ),
];

export const mcpLiteStdio = knownGap(
  ["opening"],
  "it has no transport for stdio",
  /it has no transport for stdio; its exports are/,
);

export const everything = knownGap(
  ["elicitation"],
  "its form has fields that 2025-06-18 does not have",
  /its elicitation\/create has at requestedSchema\.properties\.\w+ what 2025-06-18 does not have/,
  ["2025-06-18"],
);

/** Clients whose transport hands several messages that come together to them at once. */
export const lateProgress = knownGap(
  ["progress at once"],
  "it forgets the token on the result, before it hears the progress that came with it",
  /it told onerror: Error: Received a progress notification for an unknown token/,
).map((one) => ({ ...one, sometimes: true }));

export const inspector = [
  ...knownGap(["subscriptions"], "its command line has no subscriptions", /Unsupported method: resources\/subscribe/),
  ...knownGap(["completion"], "its command line has no completion", /Unsupported method: completion\/complete/),
  ...knownGap(["sampling"], "its command line does not declare sampling", /client does not offer sampling/),
  ...knownGap(["elicitation"], "its command line does not declare elicitation", /client does not offer elicitation/),
  ...knownGap(
    ["logging"],
    "its command line sets no level where requests carry it",
    /'logging\/setLevel' is not supported by the negotiated protocol version/,
    ["2026-07-28"],
  ),
];
