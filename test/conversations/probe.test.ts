import { describe, expect, test } from "vitest";
import type { ConnectOptions } from "../../runtime/src/client/connect-options.js";
import { transportSetups, http, stdio } from "./transports.js";
import { recordedClient } from "./client.js";
import { R4, R5 } from "./messages.js";

type Outcome = { readonly era: "stateless" | "handshake"; readonly revision: string } | { readonly code: unknown };

const modern: Outcome = { era: "stateless", revision: R5 };
const legacy: Outcome = { era: "handshake", revision: R4 };
const nothingInCommon: Outcome = { code: "NO_COMMON_REVISION" };

const handshakes = ["server/discover", "initialize", "notifications/initialized", "tools/list"];

const table: readonly (readonly [fake: string, outcome: Outcome, sent: readonly string[], options?: ConnectOptions])[] =
  [
    ["modern", modern, ["server/discover", "tools/list"]],
    ["both", modern, ["server/discover", "tools/list"]],
    ["only legacy versions", legacy, handshakes],
    ["only a later version", nothingInCommon, ["server/discover"]],
    ["-32022, legacy", legacy, handshakes],
    ["-32022, disjoint", nothingInCommon, ["server/discover"]],
    ["-32601", legacy, handshakes],
    ["-32602", legacy, handshakes],
    ["-32000", legacy, handshakes],
    ["-32021", { code: -32021 }, ["server/discover"]],
    ["garbage", legacy, handshakes],
    ["silent", legacy, handshakes, { probeTimeoutMs: 100 }],
    ["answers late", modern, ["server/discover", "initialize", "tools/list"], { probeTimeoutMs: 100 }],
    ["answers the probe after the handshake", legacy, handshakes, { probeTimeoutMs: 100 }],
    ["answers both late", modern, ["server/discover", "initialize", "tools/list"], { probeTimeoutMs: 100 }],
    ["rejects both", { code: -32603 }, ["server/discover", "initialize"], { probeTimeoutMs: 100 }],
    ["upgraded since", modern, ["initialize", "server/discover", "tools/list"], { era: "handshake" }],
    ["modern", modern, ["server/discover", "tools/list"], { era: "stateless" }],
    ["-32601", legacy, handshakes, { era: "stateless" }],
  ];

/** Over HTTP, each request gets a response or fails, so there is no time-out of the probe. */
const isPatient = ([, , , options]: (typeof table)[number]): boolean => options?.probeTimeoutMs !== undefined;

describe.each(transportSetups)("$name", (carrier) => {
  const rows = table.filter((row) => carrier !== http || !isPatient(row));

  test.each(rows.map((row) => ({ name: row[0], row })))("server: $name", async ({ row }) => {
    const [fake, outcome, sent, options = {}] = row;
    const { client, recorder } = recordedClient();
    // A server that answers the probe may need some seconds to start.
    const connecting = client.connect(await carrier.fake(fake), { probeTimeoutMs: 20_000, ...options });
    if ("code" in outcome) await expect(connecting).rejects.toMatchObject(outcome);
    else {
      await connecting;
      expect({ era: client.era, revision: client.getNegotiatedProtocolVersion() }).toEqual(outcome);
      expect((await client.listTools()).tools).toEqual([]);
    }
    expect(recorder.find("out").map((message) => (message as { method: string }).method)).toEqual(sent);
  });
});

test.each([
  ["exits", 20_000],
  ["exits late", 100],
])("starts a server twice that %s when it is probed", async (fake, probeTimeoutMs) => {
  const { client, recorder } = recordedClient();
  const transport = await stdio.fake(fake);
  let starts = 0;
  const start = transport.start.bind(transport);
  transport.start = () => {
    starts++;
    return start();
  };
  await client.connect(transport, { probeTimeoutMs });
  expect(client.era).toBe("handshake");
  expect((await client.listTools()).tools).toEqual([]);
  expect(starts).toBe(2);
  expect(recorder.find("out", "server/discover")).toHaveLength(1);
});
