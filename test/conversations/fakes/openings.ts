import { absent, capture, ref, type Conversation, type Step } from "../../../runtime/src/testing.js";
import { R4, R5 } from "../messages.js";

const version = "io.modelcontextprotocol/protocolVersion";

const probed: Step = {
  "->": { id: capture("probe"), method: "server/discover", params: { _meta: { [version]: R5 } } },
};

const discovered = (supportedVersions: readonly string[] = [R5]): Step => ({
  "<-": {
    id: ref("probe"),
    result: {
      resultType: "complete",
      supportedVersions,
      capabilities: { tools: { listChanged: true } },
      ttlMs: 0,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "fake", version: "1" } },
    },
  },
});

const opens: Step = { "->": { id: capture("opening"), method: "initialize", params: { _meta: absent } } };

const answers = (protocolVersion: string): Step => ({
  "<-": {
    id: ref("opening"),
    result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "fake", version: "1" } },
  },
});

const lists = (more: object = {}): Step[] => [
  { "->": { id: capture("list"), method: "tools/list" } },
  { "<-": { id: ref("list"), result: { tools: [], ...more } } },
];

/** The rest of a stateless connection in which the tools are listed once. */
const listsStateless = lists({ resultType: "complete", ttlMs: 0, cacheScope: "private" });

/** A handshake in which `protocolVersion` is agreed on, and one list. */
export const agrees = (protocolVersion = R4): Step[] => [
  opens,
  answers(protocolVersion),
  { "->": { method: "notifications/initialized" } },
  ...lists(),
];

export const opensStateless: readonly Step[] = [probed, discovered()];

const refuses = (code: number, data?: object): Step => ({
  "<-": { id: ref("probe"), error: { code, message: "no", ...(data && { data }) } },
});

export const refusesTheProbe: readonly Step[] = [probed, refuses(-32601)];

function conversation(name: string, ...steps: (Step | readonly Step[])[]): Conversation {
  return { name, steps: steps.flat() };
}

/** Servers of both eras, with every possible reaction to the probe. */
export const openings = {
  modern: conversation("answers", probed, discovered(), listsStateless),
  both: conversation("responds, and also has older versions", probed, discovered([R5, R4]), listsStateless),
  "only legacy versions": conversation(
    "responds with versions that need a handshake",
    probed,
    discovered([R4]),
    agrees(),
  ),
  "only a later version": conversation("responds with a future version", probed, discovered(["2099-01-01"])),
  "-32022, legacy": conversation(
    "rejects the version, and lists an older one",
    probed,
    refuses(-32022, { supported: [R4], requested: R5 }),
    agrees(),
  ),
  "-32022, disjoint": conversation(
    "rejects the version, and lists a later one",
    probed,
    refuses(-32022, { supported: ["2099-01-01"], requested: R5 }),
  ),
  "-32601": conversation("does not know the method", probed, refuses(-32601), agrees()),
  "-32602": conversation("rejects the params", probed, refuses(-32602), agrees()),
  "-32000": conversation("has not been initialized", probed, refuses(-32000), agrees()),
  "-32021": conversation("requires a capability", probed, refuses(-32021, { requiredCapabilities: { sampling: {} } })),
  garbage: conversation(
    "responds with something else",
    probed,
    { "<-": { id: ref("probe"), result: { discover: "what?" } } },
    agrees(),
  ),
  silent: conversation("does not respond", probed, agrees()),
  "answers late": conversation(
    "responds to the probe after it has rejected the handshake",
    probed,
    opens,
    { "<-": { id: ref("opening"), error: { code: -32022, message: "no", data: { supported: [R5], requested: R4 } } } },
    discovered(),
    listsStateless,
  ),
  "answers the probe after the handshake": conversation(
    "responds to the handshake, and then to the probe",
    probed,
    opens,
    answers(R4),
    refuses(-32601),
    { "->": { method: "notifications/initialized" } },
    lists(),
  ),
  "answers both late": conversation(
    "responds to the probe and the handshake, both late",
    probed,
    opens,
    discovered([R5, R4]),
    answers(R4),
    listsStateless,
  ),
  "rejects both": conversation("does not respond to the probe, and rejects the handshake", probed, opens, {
    "<-": { id: ref("opening"), error: { code: -32603, message: "no" } },
  }),
  "exits late": conversation(
    "exits when it is probed, after a while",
    {
      do: async (peer) => {
        const message = (await peer.receive()) as { id: unknown; method: string };
        if (message.method !== "initialize") setTimeout(() => process.exit(3), 200);
        else peer.captured.set("opening", message.id);
      },
    },
    { do: (peer) => peer.captured.has("opening") || peer.closed },
    answers(R4),
    { "->": { method: "notifications/initialized" } },
    lists(),
  ),
  exits: conversation(
    "exits when it is probed",
    {
      do: async (peer) => {
        const message = (await peer.receive()) as { id: unknown; method: string };
        if (message.method !== "initialize") process.exit(3);
        peer.captured.set("opening", message.id);
      },
    },
    answers(R4),
    { "->": { method: "notifications/initialized" } },
    lists(),
  ),
  "upgraded since": conversation(
    "was of the handshake era earlier",
    opens,
    { "<-": { id: ref("opening"), error: { code: -32022, message: "no", data: { supported: [R5], requested: R4 } } } },
    probed,
    discovered(),
    listsStateless,
  ),
} as const;
