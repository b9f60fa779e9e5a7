import { capture, type Conversation, ref } from "../../../runtime/src/testing.js";
import { R1, R2, R3, R4 } from "../messages.js";
import { agrees } from "./openings.js";

const ladder = (version: string): Conversation => ({
  name: `answers ${version}`,
  steps: [
    {
      "->": {
        id: capture("opening"),
        method: "initialize",
        params: {
          protocolVersion: R4,
          capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} } },
          clientInfo: { name: "ladder", version: "1" },
        },
      },
    },
    ...agrees(version).slice(1),
  ],
});

/** Servers that respond to a handshake with a fixed version. */
export const versions = {
  [`answers ${R4}`]: ladder(R4),
  [`answers ${R3}`]: ladder(R3),
  [`answers ${R2}`]: ladder(R2),
  [`answers ${R1}`]: ladder(R1),
  "answers 2099-01-01": { name: "answers 2099-01-01", steps: ladder("2099-01-01").steps.slice(0, 2) },
  "rejects all but 2099-01-01": {
    name: "rejects all but 2099-01-01",
    steps: [
      { "->": { id: capture("opening"), method: "initialize" } },
      {
        "<-": {
          id: ref("opening"),
          error: {
            code: -32602,
            message: "Unsupported protocol version",
            data: { supported: ["2099-01-01"], requested: R4 },
          },
        },
      },
    ],
  },
} as const;
